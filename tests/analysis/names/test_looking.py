"""What is seen of tokens and sentences, and the second look."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from tests.sweeps import cases, every
from tidings.analysis.names.gazetteers import gazetteers
from tidings.analysis.names.memory import Alone, Fields, TokenMemory
from tidings.analysis.names.mentions import spans_of_labels
from tidings.analysis.names.name_words import Lexicon, context_features, is_caseless, look_at, shape_of
from tidings.analysis.names.recogniser import second_look

LEXICON = Lexicon({"spoke": (5, 50)}, {"spoke": 0})


def seen(text: str, at: int, caseless: bool = False) -> list[str]:
    return context_features([look_at(token, caseless, LEXICON) for token in text.split()])[at]


def test_a_label_of_another_type_begins_a_name() -> None:
    assert spans_of_labels(["B-PER", "I-LOC", "I-LOC"]) == [(0, 1, "PER"), (1, 3, "LOC")]


def test_a_run_of_capitals_is_seen_by_its_ends() -> None:
    features = seen("The North Korea Party spoke", 1)
    assert {"e=party|M", "f=the|M", "z=<s>|M", "a=spoke|M", "y=4MS", "m=B-country"} <= set(features)
    assert not any(feature.startswith(("e=", "f=")) for feature in seen("They spoke Paris .", 2))
    assert "z=met|B" in seen("they met Ann Lee", 2)
    assert "H=Xx" in seen("Ann Lee Met John Smith", 0)
    assert "S=Xx" in seen("Ann spoke", 0)
    assert "S=Xx" not in seen("and Ann spoke", 1)


def test_neighbours_are_seen_in_pairs() -> None:
    features = seen("Ann spoke .", 1)
    assert {"b-=ann|spoke", "b+=spoke|.", "t=Xx|x|.", "q-=-|x", "q+=-|x", "v-=ann|x", "v+=.|x"} <= set(
        features
    )


def test_a_caseless_token_has_no_shape() -> None:
    cased, caseless = (look_at("PARIS", one, LEXICON) for one in (False, True))
    assert ("w=PARIS" in cased.own, "s=W" in cased.own, cased.capital) == (True, True, True)
    assert ("w=PARIS" in caseless.own, "s=~" in caseless.own, caseless.capital) == (False, True, False)
    assert {"l=paris", "g=city"} <= set(cased.own) & set(caseless.own)


def test_every_capital_has_the_same_shape() -> None:
    tokens = ["York's", "W.H.O.", "Y2K", "Zoë", "iW", "WHO", "McW"]
    assert [shape_of(token) for token in tokens] == ["Xx'x", "X.X.X.", "X0X", "Xx", "xX", "W", "XxX"]


def test_pieces_of_a_hashtag_are_seen() -> None:
    facts = look_at("#PrayForParis", False, LEXICON)
    assert {"h=pray", "h=paris", "hg=city"} <= set(facts.own)
    assert facts.low == "prayforparis"
    assert look_at("http://t.co/x", False, LEXICON).low == "<url>"
    assert len(look_at("a" * 9000, False, LEXICON).low) == 40


@every(
    "text, expected",
    cases(__file__, "when capitals say nothing"),
)
def test_when_capitals_say_nothing(text: str, expected: bool) -> None:
    assert is_caseless(text.split()) is expected


def test_lists_have_what_they_should() -> None:
    lists = gazetteers()
    assert "country" in lists.words["france"]
    assert "city" in lists.words["paris"]
    assert "town" in lists.words["norton"]
    assert (lists.genders["mary"], lists.genders["john"], lists.genders.get("jordan")) == ("f", "m", "m")
    assert {lists.demonyms[people] for people in ("saudi", "saudis")} == {"saudi arabia"}
    assert lists.demonyms.keys().isdisjoint(("czech czechs", "basque basques"))
    assert (lists.demonyms["sri lankan"], lists.demonyms["dominicans"]) == (
        "sri lanka",
        "dominican republic",
    )
    assert lists.phrase_marks(["the", "south", "african", "bank"]) == ["", "B-demonym", "I-demonym", ""]


class TestSecondLook:
    """By hand: two sentences of one token and a third of another."""

    labels = ("O", "B-PER", "I-PER")

    def look(self, tokens: list[str], trust: float = 0.5) -> np.ndarray:
        self.chances = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]])
        numbers = [sorted(set(tokens)).index(one) if one[0].isupper() else -1 for one in tokens]
        return second_look(
            np.array(numbers),
            np.log(self.chances),
            [1, 1, 1],
            self.labels,
            np.zeros((3, 3)),
            np.zeros(3),
            trust,
        ) - np.log(self.chances)

    def test_the_others_are_asked(self) -> None:
        change = self.look(["Karis", "Karis", "Berg"])
        assert change[0] == pytest.approx([0, 0.5 * log(1.3 / 0.7), 0.5 * log(1.3 / 0.7)])
        assert change[1] == pytest.approx([0, 0.5 * log(0.7 / 1.3), 0.5 * log(0.7 / 1.3)])
        assert change[2] == pytest.approx([0, 0, 0])

    @every("tokens", [["karis", "karis", "a"], ["A", "B", "C"]])
    def test_only_those_that_stand_several_times(self, tokens: list[str]) -> None:
        assert not self.look(tokens).any()

    def test_only_tokens_that_may_name_something(self) -> None:
        memory = TokenMemory(Alone({}, np.zeros((0, 3))), Fields(), LEXICON)
        tokens = ["Karis", "karis", "The", "B", "@Ann", "Éa", ""]
        assert [int(memory.cases[3, memory[token]]) for token in tokens] == [1, 0, 0, 0, 0, 1, 0]

    def test_what_they_say_is_bounded(self) -> None:
        scores = np.array([[9.0, 0, 0]] * 50)
        one = second_look(
            np.zeros(50, int), scores, [1] * 50, self.labels, np.zeros((3, 3)), np.zeros(3), 1.0
        )
        assert (one - scores).min() == pytest.approx(-2.0)
