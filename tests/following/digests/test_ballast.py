"""What is cut from a sentence of a digest, and what is left alone because the sense would change."""

from __future__ import annotations

from tests.sweeps import every
from tidings.following.digests.ballast import joined, without_ballast

CUT = [
    ("In other developments, BP sealed the leaking well on Sunday.", "BP sealed the leaking well on Sunday."),
    ("The well was sealed after five months, officials said.", "The well was sealed after five months."),
    ("The well was sealed after five months , according to AFP .", "The well was sealed after five months ."),
    ("It cost BP $ 350m -LRB- # 233m -RRB- so far .", "It cost BP $ 350m so far ."),
    ("It lies 84 km (52 miles) off the coast of Venice.", "It lies 84 km off the coast of Venice."),
    ("The Free Syrian Army (FSA) has left the city.", "The Free Syrian Army has left the city."),
    ("Mr Holder, who was on a first visit, announced the files were safe.", "Mr Holder announced the files were safe."),
]  # fmt: skip
LEFT = [
    "The well may have been sealed on Sunday, officials said.",
    "The crew was not to blame for the fire, police said.",
    "The rebels had the upper edge on Sunday, the official said.",
    "The well was sealed on Sunday night, the rebels said.",
    "Zuma polled 60.6 % of all votes (2,329) on Tuesday.",
    "He won (though only just) the vote of the party.",
    "The wife, a former presenter, who has stood by him, was there.",
    "The UCI, which had defended Lance Armstrong, has stopped defending him.",
    "“It felt right to keep the eye, which was a part of it, said Rush.",
    "Mr Holder, who was never asked, said the records were safe.",
    "Meanwhile, the well was sealed.",
]


@every("told, shorter", CUT)
def test_cuts_what_a_sentence_can_do_without(told: str, shorter: str) -> None:
    assert joined(told, without_ballast(told)) == shorter


@every("told", LEFT)
def test_leaves_what_would_change_the_sense(told: str) -> None:
    assert without_ballast(told) == [(0, len(told))]
