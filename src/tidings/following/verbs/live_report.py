"""What is said while feeds are polled and followed."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from tidings.core import say
from tidings.following.verbs.run_report import RunReport

if TYPE_CHECKING:
    from tidings.following.hosting import Interrupt, RunSettings
    from tidings.following.hosting.live import LiveRun, LiveSettings

__all__ = ["LiveReport", "follow_live"]


class LiveReport(RunReport):
    """As of any run, with a line of progress that tells of the feeds."""

    def __init__(self, live: LiveRun, quiet: bool, began: float) -> None:
        super().__init__(live.run, quiet, began)
        self._polling = live.polling

    def progress(self) -> AbstractContextManager[None]:
        """A line on stderr that says how the polling goes."""
        from tidings.following.verbs.progress import live_progress

        polling = self._polling
        return super().progress() if polling is None else live_progress(self.tally, lambda: polling.status)

    def interrupted(self) -> str:
        """Where the run was stopped; OUT is written as far as it is, for it may go on for years."""
        self.run.write_so_far()
        out = self.settings.out
        return super().interrupted() + ("" if out in ("", "-") else f"; {out} holds what was decided so far")


def follow_live(
    settings: RunSettings,
    polling: LiveSettings,
    interrupt: Interrupt,
    *,
    quiet: bool,
    show: bool | None,
    began: float,
) -> None:
    """Poll feeds and follow what they bring until somebody stops it; an InterruptedRunError then."""
    from tidings.following.hosting.live import host_live

    def tell(line: str) -> None:
        if not quiet:
            say(line, prefix="")

    with host_live(settings, polling, stop=interrupt, say=tell) as live:
        LiveReport(live, quiet, began).follow(show)
