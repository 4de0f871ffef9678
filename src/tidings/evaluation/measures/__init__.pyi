from .measure import (
    Measure as Measure,
    MeasureInfo as MeasureInfo,
    every_measure as every_measure,
    parse_measure as parse_measure,
)
from .run_scores import RunCounts as RunCounts, RunScores as RunScores, UnknownEventError as UnknownEventError
from .trec_ts.scores import prepare as prepare
