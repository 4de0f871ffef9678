"""Readers who come back to a stream again and again: how long they stay, how long they are away, how fast they read."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from random import Random

from tidings.core import UsageError

__all__ = ["Population", "Sessions", "User", "sessions", "users"]


@dataclass(frozen=True, slots=True)
class Population:
    """Where readers are drawn from; the defaults are the "reasonable users" of Baruah, Smucker and Clarke 2015.

    Attributes:
        users: how many.
        session_s, session_sd_s: mean and deviation, over readers, of a reader's mean length of a session (seconds).
        away_s, away_sd_s: the same for the time between sessions.
        speed_log, speed_log_sd: mean and deviation of the logarithm of reading speed (words a second).
        lateness: L, what a nugget is still worth for each session that could have shown it before (0 to 1).
        seed: the draw; equal seeds give equal readers on every machine.
    """

    users: int = 1000
    session_s: float = 120.0
    session_sd_s: float = 60.0
    away_s: float = 10800.0
    away_sd_s: float = 5400.0
    speed_log: float = 1.29
    speed_log_sd: float = 0.558
    lateness: float = 0.5
    seed: int = 1

    def check(self) -> None:
        """Raise UsageError for numbers that describe no readers."""
        if self.users < 1:
            raise UsageError(f"found {self.users} users, expected 1 or more")
        if not 0 <= self.lateness <= 1:
            raise UsageError(f"found lateness {self.lateness}, expected 0 to 1")
        for name in ("session_s", "away_s"):
            if not 0 < getattr(self, name) < math.inf:
                raise UsageError(f"found {name} {getattr(self, name)}, expected seconds above 0")
        for name in ("session_sd_s", "away_sd_s", "speed_log_sd"):
            if not 0 <= getattr(self, name) < math.inf:
                raise UsageError(f"found {name} {getattr(self, name)}, expected 0 or more")


@dataclass(frozen=True, slots=True)
class User:
    """One reader: mean seconds of a session, mean seconds away, words a second."""

    number: int
    session_s: float
    away_s: float
    speed: float


@dataclass(frozen=True, slots=True)
class Sessions:
    """When one reader looked in during one event: starts (seconds UTC) and lengths (seconds)."""

    starts: array[float]
    lengths: array[float]


def log_normal(mean: float, deviation: float) -> tuple[float, float]:
    """mu and sigma of the log-normal with these moments: sigma^2 = ln(1 + sd^2/m^2), mu = ln m - sigma^2/2.

    >>> mu, sigma = log_normal(120, 60)
    >>> round(math.exp(mu + sigma**2 / 2), 6)
    120.0
    """
    variance = math.log1p((deviation / mean) ** 2)
    return math.log(mean) - variance / 2, math.sqrt(variance)


def users(population: Population) -> list[User]:
    """The readers of a population; the first k of a larger one are those of a smaller one.

    >>> users(Population(users=3))[:2] == users(Population(users=2))
    True
    """
    population.check()
    drawn = []
    session = log_normal(population.session_s, population.session_sd_s)
    away = log_normal(population.away_s, population.away_sd_s)
    for number in range(population.users):
        draw = Random(f"{population.seed}/{number}")
        drawn.append(
            User(
                number,
                draw.lognormvariate(*session),
                draw.lognormvariate(*away),
                draw.lognormvariate(population.speed_log, population.speed_log_sd),
            )
        )
    return drawn


def sessions(user: User, start: int, end: int, seed: str) -> Sessions:
    """The reader's sessions from `start` to `end`: session first, then away, until a whole session no longer fits.

    Both lengths are exponential with the reader's means. `seed` names population and event, so that sessions do not
    depend on which other events or readers are looked at.
    """
    draw = Random(f"{seed}/{user.number}").random
    log = math.log
    starts, lengths = array("d"), array("d")
    now = float(start)
    while True:
        length = -log(1.0 - draw()) * user.session_s
        if now + length > end:
            return Sessions(starts, lengths)
        starts.append(now)
        lengths.append(length)
        now += length - log(1.0 - draw()) * user.away_s
