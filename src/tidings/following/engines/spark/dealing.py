"""Which keys shards have, so that Spark deals them evenly among its partitions."""

from __future__ import annotations

from functools import lru_cache

from tidings.following.engines.offers import shard_of

__all__ = ["key_of", "partition_of", "shard_keys"]

_WORD = 0xFFFFFFFF
_SEED = 42
"""Of Spark's hash partitioning."""


def partition_of(key: int, partitions: int) -> int:
    """The partition to which Spark deals rows of a key that is an int: its Murmur3 (32 bits) modulo their number.

    >>> [partition_of(key, 4) for key in (12, 6, 2, 0)]
    [0, 1, 2, 3]
    """
    mixed = _turned(key & _WORD, 0xCC9E2D51, 15) * 0x1B873593 & _WORD
    hashed = (_rotated(_SEED ^ mixed, 13) * 5 + 0xE6546B64) & _WORD
    hashed ^= 4  # the bytes of an int
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        hashed = (hashed ^ hashed >> shift) * factor & _WORD
    hashed ^= hashed >> 16
    signed = hashed - (1 << 32) if hashed >> 31 else hashed
    return signed % partitions


def _turned(word: int, factor: int, bits: int) -> int:
    return _rotated(word * factor & _WORD, bits)


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & _WORD


@lru_cache(maxsize=64)
def shard_keys(shards: int, partitions: int) -> tuple[int, ...]:
    """Keys for so many shards, from 0 up, as many in each partition; 0 partitions: nobody knows how many there are.

    >>> keys = shard_keys(8, 4)
    >>> sorted(partition_of(key, 4) for key in keys)
    [0, 0, 1, 1, 2, 2, 3, 3]
    >>> shard_keys(3, 0)
    (0, 1, 2)
    """
    if not partitions:
        return tuple(range(shards))
    room = [shards // partitions + (number < shards % partitions) for number in range(partitions)]
    keys: list[int] = []
    key = 0
    while len(keys) < shards:
        partition = partition_of(key, partitions)
        if room[partition]:
            room[partition] -= 1
            keys.append(key)
        key += 1
    return tuple(keys)


def key_of(event_id: str, shards: int, partitions: int) -> int:
    """The key of the shard that an event belongs to."""
    return shard_keys(shards, partitions)[shard_of(event_id, shards)]
