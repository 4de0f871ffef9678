"""A small story parted in two, where its documents turn out to report two developments."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tidings.following.grouping.evidence import Compared, Traits, evidence, join_traits

__all__ = ["Member", "parts_of"]

_LEAST = 2  # documents of a part: one that fits badly is no story of its own


class Member(Struct):
    """A document of a story: what it is compared by, and its title."""

    traits: Traits
    title: str
    title_terms: tuple[int, ...]
    title_names: int


def parts_of(members: Sequence[Member], part_at: float) -> tuple[list[int], list[int]] | None:
    """The two parts of a story by the numbers of their members, that of the first one first; None where it is one.

    The members are joined anew, the nearest groups first, until two are left. They are two developments where the
    evidence that they are one is below `part_at`.
    """
    groups = {number: member.traits for number, member in enumerate(members)}
    held = {number: [number] for number in groups}
    near = {
        (number, other): evidence(groups[number], groups[other])
        for number in groups
        for other in range(number)
    }
    made = len(members)
    while len(groups) > 2:
        number, other = max(near, key=lambda pair: (near[pair], pair))
        joined = join_traits(groups.pop(number), groups.pop(other))
        members_of = sorted(held.pop(number) + held.pop(other))
        near = {pair: value for pair, value in near.items() if number not in pair and other not in pair}
        compared = Compared(joined)
        near |= {(made, left): compared.evidence(traits) for left, traits in groups.items()}
        groups[made], held[made] = joined, members_of
        made += 1
    first, second = sorted(held.values())
    apart = min(len(first), len(second)) >= _LEAST and next(iter(near.values())) < part_at
    return (first, second) if apart else None
