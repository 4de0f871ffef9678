"""The orders in which updates can be judged, by name."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["PROMISING", "STRATEGIES", "UNLEARNED", "Strategy"]

Strategy = Literal["time", "random", "likeness", "terms", "uncertainty", "yield"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
"""Orders of judging.

- `time`: the earliest first, as the track's assessors worked.
- `random`: lots, which hang on the seed and the update's id alone.
- `likeness`: most like query, nuggets and pool, as other topics taught; judgments of the topic teach nothing.
- `terms`: continuous active learning on terms alone; likeness to the query before something relevant is judged.
- `uncertainty`: nearest to a chance of one half first.
- `yield`: the most links to be expected first.
"""

UNLEARNED: tuple[Strategy, ...] = ("time", "random", "likeness")
"""Those that stay the same whatever was judged."""

PROMISING: tuple[Strategy, ...] = ("likeness", "terms", "yield")
"""Those that go by what an update promises, so that topics can be held against each other too."""
