"""Learning to recognise names: corpora, the one notion of a name, the field, and what comes out."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from name_corpora import (
    LabelledDocument,
    LabelledSentence,
    brought_to_convention,
    read_corpus,
    read_gum,
)
from name_field import Gathered, fit
from name_scores import NameScores, b_cubed, measure, measure_chains
from name_training import LABELS, NameTraining, gather, train_names

from tests.sweeps import cases, every
from tidings.analysis.names.coreference import Chain, Reference
from tidings.analysis.names.name_words import Lexicon
from tidings.analysis.names.recogniser import NameRecogniser
from tidings.core.errors import FormatError, UsageError

pytest.importorskip("scipy", reason="scipy is not installed (extra `train`)")
EMPTY = Lexicon({}, {})


def sentence(text: str) -> LabelledSentence:
    """Tokens with the types of names behind them: `Ada|PER Byron|PER spoke`; a `+` goes on with a name."""
    tokens, spans = [], []
    for word in text.split():
        token, _, kind = word.partition("|")
        if kind.startswith("+"):
            start, _, kind = spans.pop()
            spans.append((start, len(tokens) + 1, kind))
        elif kind:
            spans.append((len(tokens), len(tokens) + 1, kind))
        tokens.append(token)
    return LabelledSentence(tuple(tokens), tuple(spans), ("NNP",) * len(tokens))


def document(*told: str, corpus: str = "wnut") -> LabelledDocument:
    return LabelledDocument("d", corpus, corpus, "train", tuple(map(sentence, told)))


def names(one: LabelledDocument) -> list[str]:
    return [
        f"{' '.join(line.tokens[start:end])}/{kind}"
        for line in one.sentences
        for start, end, kind in line.spans
    ]


@every(
    "told, corpus, expected",
    cases(__file__, "one notion of a name", lists=True),
)
def test_one_notion_of_a_name(told: str, corpus: str, expected: list[str]) -> None:
    (mended,) = brought_to_convention([document(told, corpus=corpus)])
    assert names(mended) == expected


GUM = """# newdoc id = GUM_news_made
1\tHome\tHome\tPROPN\tNNP\t_\t2\tcompound\t_\tEntity=(1-person-new-nnnnn-cf1-1,2,3-coref
2\tSecretary\tSecretary\tPROPN\tNNP\t_\t3\tnmod:desc\t_\t_
3\tAnn\tAnn\tPROPN\tNNP\t_\t5\tnsubj\t_\t_
4\tBerg\tBerg\tPROPN\tNNP\t_\t3\tflat\t_\tEntity=1)
5\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_
6\tthe\tthe\tDET\tDT\t_\t7\tdet\t_\tEntity=(2-organization-new-nnnnn-cf2-2-sgl
7\tUniversity\tuniversity\tPROPN\tNNP\t_\t5\tobj\t_\t_
8\tof\tof\tADP\tIN\t_\t9\tcase\t_\t_
9\tYork\tYork\tPROPN\tNNP\t_\t7\tnmod\t_\tEntity=(3-place-new-nnnnn-cf3-1-sgl)2)
10\t.\t.\tPUNCT\t.\t_\t5\tpunct\t_\t_

1\tHer\the\tPRON\tPRP$\t_\t2\tnmod:poss\t_\tEntity=(4-person-new-nnnnn-cf1-2-sgl(1-person-giv:act-nnnnn-cf2-1-coref)
2\tsuccessor\tsuccessor\tNOUN\tNN\t_\t3\tnsubj\t_\tEntity=4)
3\tmet\tmeet\tVERB\tVBD\t_\t0\troot\t_\t_
4\tBerg\tBerg\tPROPN\tNNP\t_\t3\tobj\t_\tEntity=(1-person-giv:act-nnnnn-cf1-1,2-coref
5\tDBE\tDBE\tPROPN\tNNP\t_\t4\tcompound\t_\tEntity=1)
6\tand\tand\tCCONJ\tCC\t_\t7\tcc\t_\t_
7\tAmericans\tAmerican\tPROPN\tNNPS\t_\t4\tconj\t_\tEntity=(5-person-new-nnnnn-cf4-1-sgl)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for place in ("gum", "wnut17", "wikigold"):
        (tmp_path / place).mkdir()
    (tmp_path / "gum" / "GUM_news_made.conllu.gz").write_bytes(gzip.compress(GUM.encode()))
    told = "-DOCSTART- O\n\nAda I-PER\nof O\nBonn I-LOC\n\n-DOCSTART- O\n\nIBM I-ORG\n"
    (tmp_path / "wikigold" / "wikigold.conll.gz").write_bytes(gzip.compress(told.encode()))
    told = "Ann\tB-person\nLee\tI-person\niPad\tB-product\r\n\n\nNASA\tB-group\n"
    (tmp_path / "wnut17" / "wnut17train.conll.gz").write_bytes(gzip.compress(told.encode()))
    (tmp_path / "wnut17" / "emerging.dev.conll.gz").write_bytes(gzip.compress(b"x\tO\n"))
    return tmp_path


def test_names_in_phrases_of_gum(folder: Path) -> None:
    (read,) = read_gum(folder / "gum")
    whole = LabelledDocument(read.id, "gum", read.genre, "train", read.sentences)
    assert (read.genre, names(whole)) == ("news", ["Ann Berg/PER", "University of York/ORG", "Berg/PER"])
    assert read.chains == ((1, 2), (1,))
    assert {
        (one.start, one.end, one.chain) for one in read.phrases if one.sentence == 1 and one.chain == 1
    } == {
        (0, 1, 1),
        (3, 5, 1),
    }


def test_corpora_are_read(folder: Path) -> None:
    wikigold = read_corpus(folder, "wikigold")
    assert [names(one) for one in wikigold] == [["Ada/PER", "Bonn/LOC"], ["IBM/ORG"]]
    wnut = read_corpus(folder, "wnut")
    assert [(one.part, names(one)) for one in wnut] == [
        ("train", ["Ann Lee/PER"]),
        ("train", ["NASA/ORG"]),
        ("dev", []),
    ]
    with pytest.raises(UsageError, match=r"corpus 'conll' \(expected one of gum, "):
        read_corpus(folder, "conll")
    with pytest.raises(UsageError, match="expected a corpus"):
        read_corpus(folder, "ewt")
    (folder / "ewt").mkdir()
    (folder / "ewt" / "uner-en-ewt-dev.iob2.gz").write_bytes(gzip.compress(b"one\n"))
    with pytest.raises(FormatError, match="expected a token and its label"):
        read_corpus(folder, "ewt")


def test_the_slope_is_that_of_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """By differences of the loss, at a place chosen at random."""
    from scipy import optimize
    from scipy.sparse import csr_matrix

    random = np.random.default_rng(4)
    kinds = csr_matrix((random.random((5, 6)) < 0.5).astype(np.float32))
    chosen = random.integers(0, 5, 9)
    choices = csr_matrix((np.ones(9, np.float32), (np.arange(9), chosen)), shape=(9, 5))
    alone = csr_matrix((random.random((9, 4)) < 0.5).astype(np.float32))
    gathered = Gathered(((choices, kinds), (None, alone)), ((0, 4), (4, 5), (5, 9)), random.integers(0, 3, 9))
    caught = {}

    def catch(objective, start, **_):
        caught["objective"] = objective
        return start, 0.0, {}

    monkeypatch.setattr(optimize, "fmin_l_bfgs_b", catch)
    fit(gathered, 3, penalty=0.3)
    objective = caught["objective"]
    place = random.normal(size=10 * 3 + 9 + 3) * 0.5
    _, slope = objective(place)
    for at in range(len(place)):
        step = np.zeros_like(place)
        step[at] = 1e-2
        rise = (objective(place + step)[0] - objective(place - step)[0]) / 2e-2
        assert slope[at] == pytest.approx(rise, abs=2e-3)


def test_how_sentences_begin_and_go_on_is_learned() -> None:
    from scipy.sparse import csr_matrix

    same = csr_matrix(np.ones((6, 1), np.float32))
    labels = np.array([1, 0, 0, 1, 0, 0])
    fitted = fit(Gathered(((None, same),), ((0, 3), (3, 6)), labels), 2, rounds=30)
    assert fitted.starts[1] > fitted.starts[0] + 0.5
    assert fitted.moves[1, 0] > fitted.moves[1, 1] + 0.5


TOLD = tuple(cases(__file__, "told"))


def test_few_sentences_are_learned_by_heart() -> None:
    corpora = {"wnut": [document(*TOLD)]}
    training = NameTraining(penalty=0.001, rounds=60, forgotten=0.0, caseless=0.0, lowered=0.0, smallest=0.0)
    field = train_names({"wnut": [document(*TOLD), document(*TOLD), document(*TOLD)]}, EMPTY, training)
    recogniser = NameRecogniser(field)
    scores = measure(corpora["wnut"], recogniser.spans)
    assert scores["all", "all"].f1 == 1.0
    apart = [recogniser.spans([list(line.tokens)])[0] for line in corpora["wnut"][0].sentences]
    assert apart == recogniser.spans([list(line.tokens) for line in corpora["wnut"][0].sentences])


def test_the_same_seed_learns_the_same() -> None:
    corpora = {"wnut": [document(*TOLD) for _ in range(4)]}
    one, same = (train_names(corpora, EMPTY, NameTraining(rounds=5, seed=2)) for _ in range(2))
    assert one.rows == same.rows
    assert np.array_equal(one.weights, same.weights)
    other = train_names(corpora, EMPTY, NameTraining(rounds=5, seed=3))
    assert one.rows != other.rows or not np.array_equal(one.weights, other.weights)


def test_only_the_train_part_is_learned_from() -> None:
    kept = [document("Zork|PER left .") for _ in range(9)]
    held_back = [LabelledDocument("x", "wnut", "wnut", "dev", kept[0].sentences)] * 9
    field = train_names(
        {"wnut": [document(*TOLD)] * 4 + held_back}, EMPTY, NameTraining(rounds=3, smallest=0)
    )
    assert not any("zork" in name for name in field.rows)


def test_hidden_words_and_lowered_names_are_learned_apart() -> None:
    told = [sentence("They saw Quirk|PER there .")] * 40
    plain = gather(told, EMPTY, forgotten=0.0, caseless=0.0, lowered=0.0)
    assert len(plain.gathered.sentences) == 40
    assert "0w=Quirk" in plain.names
    assert "0w=quirk" not in plain.names
    varied = gather(told, EMPTY, forgotten=1.0, caseless=0.5, lowered=0.5)
    assert len(varied.gathered.sentences) > 60
    assert not any(name.startswith(("0w=", "0l=", "b-", "b+")) for name in varied.names)
    assert any(name.startswith("b-") for name in plain.names)
    assert "0s=~" in varied.names
    lowered = gather(told, EMPTY, forgotten=0.0, caseless=0.0, lowered=1.0)
    assert "0w=quirk" in lowered.names
    assert {LABELS[label] for label in lowered.gathered.labels} == {"O", "B-PER"}


def test_scores_where_nothing_is_right() -> None:
    for nothing in (NameScores(), NameScores(0, 1, 0), NameScores(0, 0, 1), NameScores(0, 2, 2)):
        assert (nothing.precision, nothing.recall, nothing.f1) == (0.0, 0.0, 0.0)
    some = NameScores(1, 2, 4) + NameScores(1, 0, 0)
    assert (some.precision, some.recall) == (1.0, 0.5)


def test_b_cubed_by_hand() -> None:
    real = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2}
    ours = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2}
    scores = b_cubed(ours, real)
    assert scores.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    assert scores.recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    assert b_cubed({}, {}).f1 == 0.0


def test_chains_are_measured_against_gum(folder: Path) -> None:
    documents = list(read_gum(folder / "gum"))

    def apart(sentences, spans) -> list[Chain]:
        return [
            Chain("", "", (Reference(number, start, end, "name"),))
            for number, own in enumerate(spans)
            for start, end, _ in own
        ]

    def right(sentences, spans) -> list[Chain]:
        berg = (Reference(0, 2, 4, "name"), Reference(1, 0, 1, "pronoun"), Reference(1, 3, 4, "name"))
        return [Chain("", "PER", berg), Chain("", "ORG", (Reference(0, 6, 9, "name"),))]

    alone = measure_chains(documents, apart)
    assert (alone.mentions, alone.precision) == (3, 1.0)
    assert alone.recall == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert (alone.pronouns.given, alone.pronouns.real) == (0, 1)
    perfect = measure_chains(documents, right)
    assert (perfect.f1, perfect.pronouns.f1) == (1.0, 1.0)


@pytest.mark.shared_data
def test_real_corpora_under_the_convention(shared_data: Path) -> None:
    """Counts of names, so that a change of the convention is seen."""
    (folder,) = [shared_data / "ner"]
    documents = brought_to_convention(read_corpus(folder, "wikigold"))
    assert sum(len(names(one)) for one in documents) == 2837
