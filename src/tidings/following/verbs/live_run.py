"""Polling feeds and following them: the options, the settings that they make, and what is said in the meantime."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from tidings.core import say
from tidings.following.verbs.run_report import RunReport

if TYPE_CHECKING:
    from tidings.following.hosting.live import LiveRun, LiveSettings
    from tidings.following.hosting.runs import Interrupt
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.run_options import RunOptions


def check_polling(options: RunOptions) -> None:
    """Raise UsageError for an option of polling where nothing is polled."""
    from tidings.core import UsageError

    for name in ("every", "pages", "until", "for_", "keep", "offline"):
        if options[name] not in (None, False) and not options["live"]:
            raise UsageError(f"--{name.rstrip('_')} needs --live: it says how feeds are polled")


def live_settings(options: RunOptions) -> LiveSettings:
    """How feeds are polled then.

    Raises:
        UsageError: one of the options cannot be understood.
    """
    from tidings.core import UsageError, parse_duration
    from tidings.following.hosting.live import LiveSettings
    from tidings.following.hosting.sources import event_time

    chosen = LiveSettings()
    least_s, most_s, keep_s, keep_bytes = chosen.least_s, chosen.most_s, chosen.keep_s, chosen.keep_bytes
    every, keep, contact, for_ = options["every"], options["keep"], options["contact"], options.get("for_")
    if every is not None:
        least, _, most = every.partition("-")
        least_s = max(parse_duration(least, "--every"), 1)
        most_s = parse_duration(most, "--every") if most else max(least_s, most_s)
        if most_s < least_s:
            raise UsageError(f"--every {every} (expected the lesser first, such as 5m-6h)")
    if keep is not None:
        age, _, size = keep.partition(",")
        keep_s = parse_duration(age, "--keep")
        keep_bytes = _bytes(size) if size else keep_bytes
    if contact is not None and (not contact.strip() or not contact.isascii() or not contact.isprintable()):
        raise UsageError(f"--user-agent {contact!r} (expected a URL or an address, in ASCII)")
    return LiveSettings(
        until=event_time(options.get("until"), "--until"),
        contact=contact or "",
        pages=options["pages"],
        offline=options.get("offline", False),
        allow_private=options["allow_private"],
        least_s=least_s,
        most_s=most_s,
        keep_s=keep_s,
        keep_bytes=keep_bytes,
        for_s=None if for_ is None else parse_duration(for_, "--for"),
    )


_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9}


def _bytes(words: str) -> int:
    """A size in bytes: 500MB, 2GB.

    >>> _bytes("1.5 GB")
    1500000000
    """
    from tidings.core import UsageError

    number, unit = words.strip()[:-2].strip(), words.strip()[-2:].upper()
    try:
        size = int(float(number) * _UNITS[unit])
    except (ValueError, KeyError, OverflowError):
        size = 0
    if size <= 0:
        raise UsageError(f"size {words!r} (expected such as 500MB or 2GB)")
    return size


class LiveReport(RunReport):
    """As of any run, with a line of progress that tells of the feeds."""

    def __init__(self, live: LiveRun, quiet: bool, began: float) -> None:
        super().__init__(live.run, quiet, began)
        self._polling = live.polling

    def progress(self) -> AbstractContextManager[None]:
        """A line on stderr that says how the polling goes."""
        from tidings.following.verbs.progress_line import live_progress

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
    """Poll feeds and follow what they bring until someone stops it; an InterruptedRunError then."""
    from tidings.following.hosting.live import host_live

    def tell(line: str) -> None:
        if not quiet:
            say(line, prefix="")

    with host_live(settings, polling, stop=interrupt, say=tell) as live:
        LiveReport(live, quiet, began).follow(show)
