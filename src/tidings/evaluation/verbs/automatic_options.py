"""How possible matches are taken, as `tidings score` and `tidings reuse` ask for it."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.evaluation.measures.trec_ts.calibration import SPREAD, THRESHOLD

__all__ = ["CalibrateOption", "SeedOption", "SpreadOption", "ThresholdOption"]

ThresholdOption = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        min=0.0,
        max=1.0,
        help="The least probability of a match decided on.",
        show_default=f"{THRESHOLD:g}",
    ),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Of the draws.", show_default="0")]
SpreadOption = Annotated[
    float | None,
    typer.Option(
        "--spread",
        min=0.0,
        help="How far the matcher may be off for a whole event, in log-odds (standard deviation).",
        show_default=f"{SPREAD:g}",
    ),
]
CalibrateOption = Annotated[
    bool,
    typer.Option(
        "--calibrate/--no-calibrate",
        help="Move the matcher's probabilities to what people judged of each event.",
    ),
]
