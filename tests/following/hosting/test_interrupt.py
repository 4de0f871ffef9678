"""Being asked to stop: at the next border, or in the middle where none comes."""

from __future__ import annotations

import signal
import threading

import pytest

from tests.sweeps import every
from tidings.following.hosting import runs as interrupts
from tidings.following.hosting.runs import Interrupt

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarms")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "_PATIENCE_S", 0.001)


@every("number", [signal.SIGINT, signal.SIGTERM])
def test_work_without_borders_is_stopped_in_its_middle(number: signal.Signals) -> None:
    with Interrupt().watching(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
        threading.Event().wait(60)


def test_work_that_asks_at_a_border_is_left_to_end_by_itself() -> None:
    interrupt = Interrupt()
    with interrupt.watching():
        signal.raise_signal(signal.SIGTERM)
        assert interrupt()
        signal.raise_signal(signal.SIGALRM)  # what comes when the time is over


def test_an_engine_that_stops_its_own_work_is_not_hurried() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with Interrupt(unhurried=True).watching():
        signal.raise_signal(signal.SIGTERM)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) == before


def test_the_alarm_of_others_is_put_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    interrupt = Interrupt()
    with interrupt.watching():
        signal.raise_signal(signal.SIGTERM)
        assert interrupt()
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
