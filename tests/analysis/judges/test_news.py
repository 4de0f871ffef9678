"""What `tidings` asks of a judge, what it makes of the answers, and that a run which goes on asks nothing twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.analysis.judges.stand_in import StandIn, running, verdict
from tests.core.store.databases import killed_at, needs_fork
from tests.following.systems.streams import FERRY, follow, run, stream
from tests.following.systems.test_headlines_and_pace import HEADLINE, headline
from tests.following.systems.test_whole_articles import AGAIN, BACKGROUND, FIRE, LEAD, NOON, article
from tests.sweeps import cases, every
from tidings.analysis.judges.questions import news_judge, read_verdict
from tidings.cli import run as cli
from tidings.core.errors import TidingsError, UsageError
from tidings.core.protocols import System
from tidings.core.records import Document, Event, Sentence
from tidings.core.store import open_store
from tidings.following.hosting.runs import host
from tidings.following.hosting.settings import RunSettings
from tidings.following.stream import loop
from tidings.following.systems import make
from tidings.following.systems.decider import as_decider
from tidings.following.systems.pace.gate import PaceGate
from tidings.following.systems.pace.schedules import Pace
from tidings.following.systems.stages import Room, Surroundings
from tidings.following.systems.tidings.asking import Asking
from tidings.following.systems.tidings.text_features import TextReader
from tidings.sources import Source
from tidings.sources.own.documents import write_documents

PUSHES = list(stream(3, 9))
NO = verdict(said=True)
WEAK = "The ferry was on its way to Bilbao with 300 passengers, the company said."
Rule = Callable[[str], bool | None]


class RuleJudge:
    """Answers by a rule over the sentence's text, and notes what it was asked."""

    def __init__(self, rule: Rule = lambda text: True) -> None:
        self.rule = rule
        self.questions: list[tuple[str, list[str]]] = []
        self.outcomes: dict[str, int] = {}
        self.trouble = ""

    def is_news(self, event: Event, sentence: Sentence, updates: Sequence[tuple[int, str]]) -> bool | None:
        self.questions.append((sentence.text, [text for _, text in updates]))
        return self.rule(sentence.text)


@pytest.fixture
def server() -> Iterator[StandIn]:
    with running() as stand_in:
        yield stand_in


def spec(address: str, options: str = "band=100") -> str:
    return f"tidings:judge={address},model=m,{options}"


def judged(judge: RuleJudge, options: str = "band=100") -> System:
    """The system, whose followers ask this judge."""
    return msgspec.structs.replace(as_decider(make(spec("http://judge.example", options))), judge=judge)


def told(judge: RuleJudge, options: str = "band=100") -> list[str]:
    return [update.text for update in run(judged(judge, options), PUSHES)]


ALONE = [update.text for update in run(make("tidings"), PUSHES)]


class TestVerdict:
    @every(
        "text, expected",
        [
            (verdict(), True),
            (verdict(news=False), False),
            (verdict(about=False), False),
            (verdict(said=True), False),
            (f"```json\n{verdict()}\n```", True),
            (f"Here you are:\n```\n{NO}\n```\nAnything else?", False),
            (f"<think>\nIs it? ```json\n{NO}\n``` No.\n</think>\n\n{verdict()}", True),
            ('{"news": true, "about": true, "said": false, "why": "it is"}', True),
            (f"```json\n{verdict()}\n```\n```json\n{NO}\n```", None),
            ('{"news": true, "about": true}', None),
            ('{"news": "true", "about": true, "said": false}', None),
            ('{"news": 1, "about": 1, "said": 0}', None),
            (f"[{verdict()}]", None),
            (f"{verdict()} {NO}", None),
            ("No.", None),
            ("", None),
            ("[" * 100_000, None),
        ],
    )
    def test_is_read_strictly(self, text: str, expected: bool | None) -> None:
        assert read_verdict(text) is expected

    def test_a_fence_that_never_closes_is_read_to_its_end(self) -> None:
        assert read_verdict("```" + "\n" * 100_000 + "x") is None
        assert (
            read_verdict("```json\n" + "\n" * 100_000 + '{"news": true, "about": true, "said": false}\n```')
            is True
        )

    def test_judges_of_one_process_share_answers_and_count_for_themselves(self, server: StandIn) -> None:
        event, sentence = FERRY, Sentence("d", 0, "Words that no other test asks about.", 60)
        first, second = (news_judge(server.url, "shared", 5.0) for _ in range(2))
        asked = len(server.requests)
        assert [one.is_news(event, sentence, []) for one in (first, second)] == [True, True]
        assert len(server.requests) == asked + 1
        assert first.outcomes == second.outcomes == {"yes": 1}


class TestDecision:
    def test_yes_is_told_and_no_is_not(self) -> None:
        everything = told(RuleJudge())
        assert len(everything) > len(ALONE) > 3
        assert told(RuleJudge(lambda text: False)) == []
        some = told(RuleJudge(lambda text: "Bilbao" in text))
        assert some and all("Bilbao" in text for text in some)

    def test_nobody_who_can_say_leaves_the_models_own(self) -> None:
        judge = RuleJudge(lambda text: None)
        assert told(judge) == ALONE
        assert judge.questions

    def test_only_what_is_near_the_level_is_asked_about(self) -> None:
        counts = []
        for band in ("0", "0.1", "0.4", "100"):
            judge = RuleJudge(lambda text: None)
            told(judge, f"band={band}")
            counts.append(len(judge.questions))
        assert counts[0] == 0 < counts[1] < counts[2] < counts[3]

    def test_the_judge_sees_the_five_updates_most_like_it(self) -> None:
        reader = TextReader({}, "english")
        judge = RuleJudge()
        asking = Asking(FERRY, judge, 1.0, 5, lambda text: (reader.read(text).stems, reader.read(text).norm))
        texts_told = [
            "fire port",
            "storm",
            "ferry",
            "ferry fire port",
            "mayor",
            "fire mayor crew",
            "fire crew",
        ]
        for number, text in enumerate(texts_told):
            asking.note(number, text)
        asking.is_news(Sentence("d", 0, "ferry fire crew", 9), True)
        assert judge.questions[0][1] == [
            "fire port",
            "ferry",
            "ferry fire port",
            "fire mayor crew",
            "fire crew",
        ]

    def test_of_the_latest_two_hundred(self) -> None:
        reader = TextReader({}, "english")
        judge = RuleJudge()
        asking = Asking(FERRY, judge, 1.0, 5, lambda text: (reader.read(text).stems, reader.read(text).norm))
        asking.note(0, "ferry fire crew")
        for number in range(200):
            asking.note(number, f"place {number}")
        asking.is_news(Sentence("d", 0, "ferry fire crew", 9), True)
        assert "ferry fire crew" not in judge.questions[0][1]
        assert len(asking.state()[1]) == 200


class TestBudget:
    def test_so_many_questions_an_event(self) -> None:
        judge = RuleJudge(lambda text: False)
        assert told(judge, "band=100,calls=4")
        assert len(judge.questions) == 4
        told(judge, "band=100,calls=0")
        assert len(judge.questions) == 4

    def test_nothing_is_asked_where_a_budget_leaves_no_room(self) -> None:
        free, bound = RuleJudge(), RuleJudge()
        everything = told(free)
        few = told(bound, "band=100,updates_per_hour=1")
        assert len(few) < len(everything) and len(bound.questions) < len(free.questions)


class TestWholeArticles:
    def texts(self, judge: RuleJudge, options: str, *documents: tuple[Sentence, ...]) -> list[str]:
        started = judged(judge, options).start(FIRE)
        updates = [update for one in documents for update in started.push(one, one[0].published_time)]
        return [update.text for update in [*updates, *started.finish(NOON + 9_000)]]

    def test_sentences_of_articles(self) -> None:
        document = article("a", [LEAD, WEAK, *BACKGROUND])
        assert self.texts(RuleJudge(lambda text: None), "band=100", document) == [LEAD]
        assert sorted(self.texts(RuleJudge(), "band=100", document)) == sorted([LEAD, WEAK])
        assert self.texts(RuleJudge(lambda text: False), "band=100", document) == []

    def test_far_from_the_level_nobody_is_asked(self) -> None:
        judge = RuleJudge(lambda text: False)
        assert self.texts(judge, "band=0.001", article("a", [LEAD, *BACKGROUND])) == [LEAD]
        assert not judge.questions

    def test_headlines(self) -> None:
        assert self.texts(RuleJudge(), "band=100", headline("a", HEADLINE)) == [HEADLINE]
        assert self.texts(RuleJudge(lambda text: False), "band=100", headline("a", HEADLINE)) == []

    def test_what_waits_is_asked_about_once(self) -> None:
        judge = RuleJudge()
        documents = [article("a", [LEAD]), article("b", [AGAIN], NOON + 600)]
        assert len(self.texts(judge, "band=100,wait=1h", *documents)) == 1
        assert len(judge.questions) == 1

    def test_a_wording_below_the_level_joins_none_unasked(self) -> None:
        weak = "The ferry that caught fire off the coast of Bilbao was 30 years old."
        judge = RuleJudge(lambda text: text == LEAD)
        documents = [article("a", [LEAD]), article("b", [weak], NOON + 600)]
        assert self.texts(judge, "band=100,wait=1h,article_level=0.95", *documents) == [LEAD]
        assert [text for text, _ in judge.questions] == [LEAD, weak]

    def test_what_the_judge_alone_wants_waits_too(self) -> None:
        started = judged(RuleJudge(), "band=100,wait=1h").start(FIRE)
        assert not started.push(article("a", [WEAK]), NOON)
        assert [update.text for update in started.finish(NOON + 3_600)] == [WEAK]


class TestAtAPace:
    def test_the_judge_is_asked_about_what_the_gate_admits(self) -> None:
        paced = [update.text for update in run(make("tidings:about=10/day"), PUSHES)]
        judge = RuleJudge()
        assert told(judge, "about=10/day") == paced
        assert len(judge.questions) == len(paced) > 1
        assert told(RuleJudge(lambda text: False), "about=10/day") == []

    def test_nothing_is_asked_where_a_budget_leaves_no_room(self) -> None:
        judge = RuleJudge()
        started = make(spec("http://judge.example", "about=10/day")).system.start(FERRY)
        started.enter(
            Surroundings(judge=judge, gate=PaceGate(Pace(about="10/day"), None, None), room=Room(0, 10_000))
        )
        assert follow(started, PUSHES) == []
        assert not judge.questions

    def test_no_leaves_room_for_others(self) -> None:
        some = told(RuleJudge(lambda text: "Bilbao" not in text), "about=10/day")
        assert some and not any("Bilbao" in text for text in some)


class TestState:
    def test_a_follower_taken_up_anywhere_goes_on_the_same(self) -> None:
        system = judged(RuleJudge(), "band=100,calls=12")
        whole = run(system, PUSHES)
        for border in (0, 3, 8):
            first = system.start(FERRY)
            updates = follow(first, PUSHES[:border])
            second = system.start(FERRY)
            second.restore(first.state())
            assert second.state() == first.state()
            assert updates + follow(second, PUSHES[border:]) == whole

    def test_the_state_of_one_without_a_judge_says_nothing_of_it(self) -> None:
        plain, other = make("tidings").start(FERRY), judged(RuleJudge(), "band=0").start(FERRY).core
        assert len(msgspec.msgpack.decode(plain.state())) == 7
        assert len(msgspec.msgpack.decode(other.state())) == 2

    def test_any_text_can_be_remembered(self) -> None:
        first, second = (judged(RuleJudge()).start(FERRY) for _ in range(2))
        follow(first, stream(5, 8, hostile=True))
        second.restore(first.state())
        assert second.state() == first.state()


class TestOptions:
    def test_the_spec_says_them(self) -> None:
        text = "tidings:model=some/model-7b,judge=http://localhost:8000/v1,calls=50"
        system = make(text)
        assert make(system.spec) == system
        assert system.card.system == "tidings"

    @every(
        "options, words",
        cases(__file__, "what does not fit"),
    )
    def test_what_does_not_fit(self, options: str, words: str) -> None:
        with pytest.raises(UsageError, match=words):
            make(f"tidings:{options}")

    def test_a_file_is_no_name_of_a_model(self, tmp_path: Path) -> None:
        weights = tmp_path / "weights"
        weights.write_bytes(b"")
        with pytest.raises(UsageError, match="weights as the model of judge"):
            make(f"tidings:judge=http://a/v1,model={weights}")


DOCUMENTS = [
    Document(id=sentences[0].doc_id, published_time=now, sentences=sentences)
    for sentences, now in (
        (tuple(one for one in own if one.doc_id == own[0].doc_id), now) for own, now in PUSHES[:8]
    )
]


def settings(server: StandIn, place: Path, options: str = "band=100,calls=12", **more: object) -> RunSettings:
    return RunSettings(
        events=(FERRY,), system=spec(server.url, options), store=str(place), name="judged", **more
    )  # type: ignore[arg-type]


def followed(kept: RunSettings, most: int = 1 << 30) -> list[str]:
    left = iter(range(most))
    source = Source("news", lambda: DOCUMENTS)
    with host(kept, sources=[source], choice="pool", stop=lambda: next(left, None) is None) as hosted:
        for _ in hosted:
            pass
        return [output.text for output in hosted.outputs()]


class TestOverTheNetwork:
    def system(self, server: StandIn, options: str) -> list[str]:
        return [update.text for update in run(make(spec(server.url, options)), PUSHES[:4])]

    def test_the_question(self, server: StandIn) -> None:
        event = replace(FERRY, type="accident", description="A ferry\nburns.")
        run(make(spec(server.url, "band=100,calls=2")), PUSHES, event)
        first, second = server.prompts
        assert first.startswith(
            "Event: Ferry fire\nQuery: ferry fire port\nKind: accident\nDescription: A ferry burns.\n"
        )
        assert "\nNo update has been told before.\n" in first and "\nSentence: [1970-01-01 00:" in first
        assert second.count("\n- [1970-01-01 00:") == 1
        assert second.endswith("\nIs it news about this event, not said before?")

    @pytest.mark.parametrize("way", ["302", "garbage"])
    def test_no_answer_leaves_the_models_own(self, server: StandIn, way: str) -> None:
        server.ways = [way] * 99
        assert self.system(server, "band=100,calls=3") == self.system(server, "band=0,calls=3")
        assert server.requests

    def test_answers_from_the_book_count_too(self, server: StandIn) -> None:
        first = self.system(server, "band=100,calls=3")
        asked = len(server.requests)
        assert self.system(server, "band=100,calls=3") == first
        assert len(server.requests) == asked <= 3

    def test_what_came_of_the_questions_is_said(
        self, server: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write_documents(tmp_path / "stream.jsonl", DOCUMENTS)
        server.ways = ["302", "", "garbage"]
        command = [
            "follow",
            str(tmp_path / "stream.jsonl"),
            "--query",
            FERRY.query,
            "--about",
            "free",
            "--mixed",
        ]
        out = ["--out", str(tmp_path / "out.run")]
        assert cli([*command, *out, "--system", spec(server.url, "band=100,calls=4")]) == 0
        said = capsys.readouterr().err
        assert (
            "the judge was asked about 4 sentences: 2 yes, 0 no, 2 without an answer (1 unreadable, 1 failed)"
            in said
        )
        server.rule = lambda prompt: NO
        assert (
            cli([*command, "--out", "-", "--system", spec(server.url, "band=100,calls=2,judge_timeout=7")])
            == 0
        )
        assert "the judge was asked about 2 sentences: 0 yes, 2 no" in capsys.readouterr().err

    def test_a_silent_judge_is_asked_once_a_run(
        self, server: StandIn, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        server.ways = ["hang"] * 2
        options = "band=100,calls=1,judge_timeout=0.05"
        for second, asked in ((0, 1), (0, 1), (1, 2)):  # runs that begin in one second are one
            monkeypatch.setattr(time, "time", lambda second=second: 1_000_000_000.0 + second)
            self.system(server, options)
            assert len(server.requests) == asked


class TestKept:
    @pytest.fixture(autouse=True)
    def _often(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(loop, "_COMMIT_EVERY_S", 0)

    def test_a_stopped_run_goes_on_and_asks_nothing_twice(self, server: StandIn, tmp_path: Path) -> None:
        whole = followed(settings(server, tmp_path / "whole.db"))
        prompts = server.prompts
        assert 6 < len(prompts) <= 12 and whole
        server.requests.clear()
        kept = settings(server, tmp_path / "stopped.db")
        for most in (3,):
            followed(kept, most)
        assert followed(kept) == whole
        assert server.prompts == prompts
        server.requests.clear()
        assert followed(replace(kept, restart=True)) == whole
        assert not server.requests

    @pytest.mark.kill
    @needs_fork
    @pytest.mark.parametrize(
        "statements", [(60,), pytest.param(tuple(range(40, 100, 3)), marks=pytest.mark.long)]
    )
    def test_killed_at_any_statement_it_goes_on_the_same(
        self, tmp_path: Path, statements: tuple[int, ...]
    ) -> None:
        with running() as undisturbed:
            whole = followed(settings(undisturbed, tmp_path / "whole.db"))
            asked = len(undisturbed.requests)
        kills = 0
        for statement in statements:
            with running() as server:
                kept = settings(server, tmp_path / f"killed-{statement}.db")
                # How many statements there are depends on how quickly answers come: some 90.
                kills += killed_at(statement, lambda kept=kept: followed(kept))
                assert followed(kept) == whole
                # A question whose answer was on its way when the process died is the only one that may come again.
                assert len(set(server.prompts)) == asked >= len(server.prompts) - 1
        assert kills >= min(10, len(statements))

    def test_what_failed_is_asked_anew_by_a_run_begun_later_and_by_no_other(
        self, server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        server.ways = ["302"] * 12
        kept = settings(server, tmp_path / "kept.db", "band=100,calls=2")
        first = followed(kept)
        assert len(server.requests) == 2
        server.ways.clear()
        later = replace(kept, name="later")
        monkeypatch.setattr("tidings.core.store.run.time.time", lambda: 4_000_000_000.0)
        followed(later)
        assert len(server.requests) == 4
        followed(replace(later, name="last"))
        assert len(server.requests) == 4
        assert first

    def test_a_damaged_answer_is_noticed(self, server: StandIn, tmp_path: Path) -> None:
        from sqlalchemy import text

        kept = settings(server, tmp_path / "kept.db", "band=100,calls=1")
        followed(kept)
        with open_store(kept.store) as store, store.engine.begin() as connection:
            connection.execute(text("UPDATE judge_answers SET answer = 'yes'"))
        with pytest.raises(
            TidingsError, match=r"^[^:]*: the store is damaged: the answer to question .* is not as"
        ):
            followed(replace(kept, restart=True))

    def test_nobody_at_the_address_stops_the_run_in_words(self, tmp_path: Path) -> None:
        with running() as gone:
            pass
        with pytest.raises(TidingsError, match=r"^http://127\.0\.0\.1:\d+/v1: no judge answers"):
            followed(settings(gone, tmp_path / "kept.db"))
