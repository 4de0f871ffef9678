"""What one reader reads and learns of one run, session by session."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from tidings.evaluation.measures.msu.users import Sessions

__all__ = ["Read", "UpdateSequence", "read"]


@dataclass(frozen=True, slots=True)
class UpdateSequence:
    """A run on one event, oldest update first.

    Attributes:
        times: when each update came (seconds UTC).
        words: words before each update and, last, of all: words[i + 1] - words[i] is the length of update i.
        hits: the updates that tell nuggets, by number, rising.
        hit_nuggets: the nuggets of each of `hits`.
    """

    times: tuple[int, ...]
    words: tuple[int, ...]
    hits: tuple[int, ...]
    hit_nuggets: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(updates: Sequence[tuple[int, int, tuple[int, ...]]]) -> UpdateSequence:
        """From (time, words, nuggets) of each update, in any order; those of one second keep theirs."""
        ordered = sorted(updates, key=lambda update: update[0])
        words = [0]
        for _, length, _ in ordered:
            words.append(words[-1] + max(1, length))
        telling = [(number, nuggets) for number, (_, _, nuggets) in enumerate(ordered) if nuggets]
        return UpdateSequence(
            tuple(time for time, _, _ in ordered),
            tuple(words),
            tuple(number for number, _ in telling),
            tuple(nuggets for _, nuggets in telling),
        )


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader got: gain (nuggets, late ones weighing less), updates read, seconds spent reading them."""

    gain: float
    updates: int
    seconds: float


def read(
    timeline: UpdateSequence, sessions: Sessions, speed: float, nugget_times: Sequence[int], lateness: float
) -> Read:
    """Let a reader go through their sessions.

    At the start of a session the unread updates are read newest first, back to the newest one that was there at the
    last session that read any; an update that does not fit into what is left of the session ends it, and gives
    nothing. Each nugget counts once, as L^max(0, alpha): alpha counts the sessions between the nugget's time and this
    one, at which it could have been read.

    Newest first and back to a point is a stretch of the timeline, so it is found by bisection in the sum of words.
    """
    times, words, hits, hit_nuggets = timeline.times, timeline.words, timeline.hits, timeline.hit_nuggets
    starts, lengths = sessions.starts, sessions.lengths
    gain = seconds = 0.0
    updates = position = 0
    nuggets_read: set[int] = set()
    for number, start in enumerate(starts):
        newest = bisect_right(times, start, position)
        if newest == position:
            continue
        oldest = bisect_left(words, words[newest] - speed * lengths[number], position, newest)
        if oldest == newest:
            continue
        updates += newest - oldest
        seconds += (words[newest] - words[oldest]) / speed
        position = newest
        first = bisect_left(hits, oldest)
        for nuggets in hit_nuggets[first : bisect_left(hits, newest, first)]:
            for nugget in nuggets:
                if nugget not in nuggets_read:
                    nuggets_read.add(nugget)
                    late = number - bisect_right(starts, nugget_times[nugget])
                    gain += lateness**late if late > 0 else 1.0
    return Read(gain, updates, seconds)
