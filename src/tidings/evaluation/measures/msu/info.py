"""What the measures of modeled stream utility are."""

from __future__ import annotations

from tidings.evaluation.measures.measure import MeasureInfo

__all__ = ["INFO"]

_SOURCE = "Baruah, Smucker and Clarke 2015 (SIGIR), and its authors' code"


def _info(name: str, title: str, formula: str, meaning: str, unit: str) -> MeasureInfo:
    return MeasureInfo(
        name=name,
        title=title,
        formula=formula,
        meaning=meaning,
        unit=unit,
        low=0.0,
        high=None,
        empty=0.0,
        better="higher",
        family="msu-2015",
        source=_SOURCE,
    )


INFO: dict[str, MeasureInfo] = {
    info.name: info
    for info in (
        _info(
            "MSU",
            "Modeled stream utility",
            "1/|U| sum_u sum_n L^max(0, alpha(n,u)), over the nuggets that reader u reads",
            "How many nuggets a reader learns who looks in now and then; those that come late weigh less.",
            "nuggets",
        ),
        _info(
            "MSU/read",
            "Modeled stream utility for each update read",
            "sum_u gain(u) / sum_u |updates read by u|",
            "What an update is worth to a reader who reads it.",
            "nuggets per update",
        ),
        _info(
            "MSU/update",
            "Modeled stream utility for each update of the run",
            "MSU / |S|",
            "What an update is worth to a reader, read or not.",
            "nuggets per update",
        ),
        _info(
            "MSU/second",
            "Modeled stream utility for each second of reading",
            "sum_u gain(u) / sum_u |seconds that u reads|",
            "What a second of a reader's time brings.",
            "nuggets per second",
        ),
    )
}
