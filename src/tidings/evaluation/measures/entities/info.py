"""What the measures of entity rankings are."""

from __future__ import annotations

from tidings.evaluation.measures.measure import MeasureInfo

__all__ = ["INFO"]

_PAPER = "Adaptive entity timelines 2015, section 6.2"


def _info(
    name: str, title: str, formula: str, meaning: str, source: str, takes_rank: bool = True
) -> MeasureInfo:
    return MeasureInfo(
        name=name, title=title, formula=formula, meaning=meaning, unit="share", low=0.0, high=1.0, empty=0.0,
        better="higher", family="entities-2015", source=source, takes_rank=takes_rank,
    )  # fmt: skip


INFO: dict[str, MeasureInfo] = {
    info.name: info
    for info in (
        _info(
            "P",
            "Precision",
            "P@k = |relevant entities among the first k| / k",
            "The share of relevant entities at the top of the day's ranking; without @k, of the whole ranking.",
            f"{_PAPER}; as trec_eval",
        ),
        _info(
            "MAP",
            "Mean average precision",
            "AP = 1/|relevant| sum over relevant entities of P@rank; MAP its mean over events and days",
            "How far up the day's relevant entities stand, and whether all of them do.",
            f"{_PAPER}; as trec_eval",
            takes_rank=False,
        ),
        _info(
            "NDCG",
            "Normalised discounted cumulative gain",
            "DCG@k / ideal DCG@k, DCG@k = sum_i grade_i / log2(i + 1)",
            "How much graded importance stands how far up, as a share of the best that the day allows.",
            f"{_PAPER}; as trec_eval (gain is the grade)",
        ),
        _info(
            "SRDP",
            "Serendipity",
            "sum_{e in UNEXP_k} rel(e) / |UNEXP_k|, UNEXP_k = the first k that the day before did not bring",
            "Precision among the entities that are new that day; 0 when none is.",
            f"{_PAPER}, formula 12",
        ),
    )
}
