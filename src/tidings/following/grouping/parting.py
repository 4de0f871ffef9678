"""A small story parted in two, where its documents turn out to report two developments."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tidings.following.grouping.evidence import Compared, Traits, join_traits

__all__ = ["Member", "parts_of"]

_LEAST = 2  # documents of a part: one that fits badly is no story of its own


class Member(Struct, gc=False):
    """A document of a story: what it is compared by, and its title."""

    traits: Traits
    title: str
    title_terms: tuple[int, ...]
    title_names: int


def parts_of(members: Sequence[Member], part_at: float) -> tuple[list[int], list[int]] | None:
    """The two parts of a story by the numbers of their members, that of the first one first; None where it is one.

    The members are joined again, the nearest groups first, until two are left. They are two developments where the
    evidence that they are one is below `part_at`.
    """
    groups = {number: member.traits for number, member in enumerate(members)}
    held = {number: [number] for number in groups}
    near = {
        (number, other): value
        for number, traits in groups.items()
        for other, value in enumerate(Compared(traits).evidence(list(groups.values())[:number]))
    }
    made = len(members)
    while len(groups) > 2:
        number, other = max(near, key=lambda pair: (near[pair], pair))
        joined = join_traits(groups.pop(number), groups.pop(other))
        members_of = sorted(held.pop(number) + held.pop(other))
        near = {pair: value for pair, value in near.items() if number not in pair and other not in pair}
        values = Compared(joined).evidence(list(groups.values()))
        near |= {(made, left): value for left, value in zip(groups, values, strict=True)}
        groups[made], held[made] = joined, members_of
        made += 1
    first, second = sorted(held.values())
    apart = min(len(first), len(second)) >= _LEAST and next(iter(near.values())) < part_at
    return (first, second) if apart else None
