"""What the measures of 2001 are."""

from __future__ import annotations

from tidings.evaluation.measures.measure import MeasureInfo

__all__ = ["INFO"]

_SOURCE = "Khandelwal, Gupta and Allan 2001, section 4"
_NAMED = "Allan, Gupta and Khandelwal 2001 (named there; form reconstructed)"


def _info(
    name: str, title: str, formula: str, meaning: str, source: str = _SOURCE, **more: object
) -> MeasureInfo:
    fields = {
        "unit": "share",
        "low": 0.0,
        "high": 1.0,
        "empty": 0.0,
        "better": "higher",
        "takes_rank": True,
    } | more
    return MeasureInfo(
        name=name, title=title, formula=formula, meaning=meaning, source=source, family="umass-2001", **fields,  # type: ignore[arg-type]
    )  # fmt: skip


INFO: dict[str, MeasureInfo] = {
    info.name: info
    for info in (
        _info(
            "nu-P",
            "Novel and useful precision",
            "sum_i I(r(e_i) > 0) / S_r",
            "Events told for each sentence retrieved; above 1 where sentences tell of several events at once.",
            unit="events per sentence",
            high=None,
        ),
        _info(
            "nu-R",
            "Novel and useful recall",
            "sum_i I(r(e_i) > 0) / E",
            "The share of the topic's events that the retrieved sentences tell.",
        ),
        _info(
            "u-P",
            "Useful precision",
            "|retrieved on-event sentences| / S_r",
            "The share of the retrieved sentences that tell of any event, new or not.",
            _NAMED,
        ),
        _info(
            "u-R",
            "Useful recall",
            "|retrieved on-event sentences| / |on-event sentences|",
            "The share of the topic's on-event sentences that were retrieved.",
            _NAMED,
        ),
        _info(
            "n-P",
            "Novel precision",
            "sum_i I(r(e_i) > 0) / |retrieved on-event sentences|",
            "nu-precision with all off-event sentences taken out: how little the run repeats itself.",
            _NAMED,
            unit="events per sentence",
            high=None,
        ),
        _info(
            "n-R",
            "Novel recall",
            "sum_i I(r(e_i) > 0) / E",
            "As nu-recall: off-event sentences tell of no event.",
            _NAMED,
        ),
        _info(
            "nu-11pt",
            "Interpolated nu-precision, mean of 11 points",
            "1/11 sum_{r = 0, .1, ... 1} max_{k: nu-R@k >= r} nu-P@k",
            "The nu-recall/nu-precision graph of the paper as one number.",
            unit="events per sentence",
            high=None,
            takes_rank=False,
        ),
        _info(
            "size",
            "Size of the summary",
            "S_r / |sentences of the topic|",
            "The share of the topic's sentences that was retrieved; not there where their number is not known.",
            better="",
            high=None,
        ),
        _info(
            "sentences",
            "Sentences retrieved",
            "S_r",
            "The length of the summary in sentences.",
            unit="sentences",
            better="",
            high=None,
        ),
    )
}  # fmt: skip
