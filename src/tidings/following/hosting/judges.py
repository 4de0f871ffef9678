"""A judge from outside, where a system names one: its answers are kept with the run."""

from __future__ import annotations

from tidings.core import AnswerBook, AskingSystem, Budget, Event, Follower, Judge, JudgedDecider, System
from tidings.following.systems.wrapped import Unlimited, WrappedSystem, innermost, replace_innermost

__all__ = ["JudgedSystem", "judge_line", "with_answers"]

_WITHOUT = ("unreadable", "timeout", "failed")


class JudgedSystem(WrappedSystem, frozen=True):
    """A system whose followers ask one judge; it has the spec of the system inside."""

    judge: Judge

    @property
    def limit(self) -> Unlimited:
        """None."""
        return Unlimited()

    @property
    def budget(self) -> Budget:
        """The budget of the system inside."""
        return self.system.budget

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`, which asks the judge where it can."""
        follower = self.system.start(event)
        if isinstance(follower, JudgedDecider):
            follower.ask(self.judge)
        return follower


def with_answers(system: System, book: AnswerBook | None) -> System:
    """The system; where it names a judge, one whose followers keep in `book` (or in memory) what that answers."""
    inner = innermost(system)
    judge = inner.judge_with(book) if isinstance(inner, AskingSystem) else None
    return system if judge is None else replace_innermost(system, JudgedSystem(inner, judge))


def judge_line(system: System) -> str:
    """What came of the questions to the judge of a system, in words; "" where it has none."""
    part = system
    while isinstance(part, WrappedSystem):
        if isinstance(part, JudgedSystem):
            counts = part.judge.outcomes
            without = {name: counts[name] for name in _WITHOUT if counts.get(name)}
            words = f"{counts.get('yes', 0):,} yes, {counts.get('no', 0):,} no"
            if without:
                why = ", ".join(f"{count:,} {name}" for name, count in without.items())
                words += (
                    f", {sum(without.values()):,} without an answer ({why}); the last: {part.judge.trouble}"
                )
            asked = sum(counts.values())
            return f"the judge was asked about {asked:,} sentence{'' if asked == 1 else 's'}: {words}"
        part = part.system
    return ""
