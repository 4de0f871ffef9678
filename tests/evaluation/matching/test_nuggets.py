"""What matching asks a judge, what it makes of good and bad answers, and that nothing is asked twice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.analysis.judges.stand_in import Clock, StandIn, asked_ids, labelled, server
from tests.sweeps import cases, every
from tidings.analysis.judges.chat import ChatClient
from tidings.analysis.judges.questions import Questions
from tidings.core.errors import UsageError
from tidings.core.protocols import AnswerBook
from tidings.core.records import Nugget, PooledUpdate, PossibleMatch
from tidings.evaluation.formats.judge_answers import FileAnswers
from tidings.evaluation.matching.judge_matcher import (
    SUPPORT,
    AskedMatcher,
    JudgeOptions,
    NuggetJudge,
    judge_options,
    outcome_line,
    read_labels,
    weigh_nuggets,
)

__all__ = ["server"]


NUGGETS = [Nugget("e", f"N{number}", 0, 2, f"Fact {number}") for number in range(3)]
UPDATES = [
    PooledUpdate("e", "a", 0, "The ferry burns.", published_time=1330003205),
    PooledUpdate("e", "b", 0, "The ferry burns."),
    PooledUpdate("e", "c", 0, "All are safe."),
]


class Candidates:
    """Gives the pairs that it was made of."""

    def __init__(self, *pairs: tuple[str, str, float]) -> None:
        self.pairs = pairs

    def match(self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]) -> Iterator[PossibleMatch]:
        for update in updates:
            for own, nugget, probability in self.pairs:
                if own == update.doc_id:
                    yield PossibleMatch("e", update.id, nugget, probability, 1, 4)


ALL = Candidates(*((doc, f"N{number}", 0.5) for doc in "abc" for number in range(3)))


@pytest.fixture
def stand_in(server: StandIn) -> StandIn:
    server.rule, server.refused = labelled(), set()
    for seen in (server.ways, server.requests, server.headers, server.paths):
        seen.clear()
    return server


def judge_of(
    stand_in: StandIn, book: AnswerBook | None = None, clock: Clock | None = None, timeout_s: float = 20
) -> NuggetJudge:
    clock = clock or Clock()
    client = ChatClient(stand_in.url, "m", timeout_s=timeout_s, sleep=clock.sleep, clock=clock)
    return NuggetJudge(Questions(client, book, full=True, patient=True))


def matched(
    judge: NuggetJudge, candidates: Candidates = ALL, options: str = "", **more: object
) -> list[tuple[str, str, float]]:
    made = AskedMatcher(candidates, judge, judge_options(f"http://h/v1,model=m,{options}"), **more)  # type: ignore[arg-type]
    return [(one.update_id[0], one.nugget_id, one.probability) for one in made.match(NUGGETS, UPDATES)]


class TestLabels:
    @every(
        "text, read",
        [
            ('{"N0": "support", "N1": "partial", "N2": "not"}', ["support", "partial", "not"]),
            ('```json\n{"N0": "not", "N1": "not", "N2": "not"}\n```', ["not", "not", "not"]),
            ('<think>{"N0": "support"}</think>{"N0": "not"}', ["not", "", ""]),
            ('{"N0": "support", "N9": "support"}', ["support", "", ""]),
            ('{"N0": "support", "N0": "support", "N1": "not"}', [None, "not", ""]),
            ('{"N0": "Support", "N1": true, "N2": ["support"]}', [None, None, None]),
            ('{"N0": {"N1": "not"}, "N1": "not"}', [None, "not", ""]),
            ('{"N9": "support"}', None),
            ("{}", None),
            ('["N0", "support"]', None),
            ('{"N0": "support"', None),
            ('{"N0": "support"} {"N1": "support"}', None),
            ("support", None),
            ("", None),
            ("[" * 100_000, None),
        ],
    )
    def test_are_read_strictly(self, text: str, read: list[str | None] | None) -> None:
        said = read_labels(text, dict.fromkeys(["N0", "N1", "N2"]), SUPPORT)
        assert (said and [said.get(name, "") for name in ("N0", "N1", "N2")]) == read

    def test_each_pair_is_counted_by_what_came_of_it(self, stand_in: StandIn) -> None:
        judge = judge_of(stand_in)
        stand_in.rule = lambda prompt: '{"N0": "support", "N1": "maybe", "N7": "not", "N8": "not"}'
        assert judge.support("", "Words.", 0, NUGGETS) == {"N0": "support"}
        assert judge.outcomes == {"support": 1, "unreadable": 1, "missing": 1}
        assert (judge.questions, judge.strangers) == (1, 2)
        assert "N2 is missing" in judge.trouble
        stand_in.rule = lambda prompt: "I would say that it does."
        assert judge.support("", "Other words.", 0, NUGGETS) == {}
        assert judge.outcomes["unreadable"] == 4
        assert "I would say" in judge.trouble


class TestQuestion:
    def test_says_the_event_the_nuggets_and_the_update(self, stand_in: StandIn) -> None:
        judge_of(stand_in).support("A  fire", "The ferry\nburns.", 1330003205, NUGGETS[:2])
        (prompt,) = stand_in.prompts
        lines = ["Event: A fire", "", "Nuggets:", '- "N0": Fact 0', '- "N1": Fact 1', ""]
        lines += ["Update: [2012-02-23 13:20] The ferry burns.", "", "Which of the nuggets does it state?"]
        assert prompt.split("\n") == lines
        schema = stand_in.requests[0]["response_format"]["json_schema"]["schema"]
        assert schema["required"] == ["N0", "N1"]
        assert schema["properties"]["N1"]["enum"] == ["support", "partial", "not"]

    def test_of_no_title_or_time_says_neither(self, stand_in: StandIn) -> None:
        judge_of(stand_in).support("", "Burns.", 0, NUGGETS[:1])
        assert stand_in.prompts[0].startswith("Nuggets:")
        assert "\nUpdate: Burns.\n" in stand_in.prompts[0]

    def test_any_id_and_text_can_be_asked_about(self, stand_in: StandIn) -> None:
        odd = [Nugget("e", name, 0, 1, 'x\ud800\n- "N9": y') for name in ('a"b', "ü\n1", "\ud800", " ")]
        judge = judge_of(stand_in)
        said = judge.support("\udfff", "\ud800 text", 0, odd)
        assert [said.get(one.id) for one in odd] == ["support"] * 4
        assert asked_ids(stand_in.prompts[0]) == ['a"b', "ü 1", "?", ""]

    def test_the_importance_of_nuggets(self, stand_in: StandIn) -> None:
        stand_in.rule = labelled(lambda name: "vital" if name != "N1" else "support")
        judge = judge_of(stand_in)
        others = [*NUGGETS, Nugget("f", "N0", 0, 1, "Another")]
        weighed = list(weigh_nuggets(judge, others, {"e": "A fire"}, most=2))
        assert [(one.event_id, one.id, said) for one, said in weighed] == [
            ("e", "N0", "vital"), ("e", "N1", ""), ("e", "N2", "vital"), ("f", "N0", "vital"),
        ]  # fmt: skip
        assert [asked_ids(prompt) for prompt in stand_in.prompts] == [["N0", "N1"], ["N2"], ["N0"]]
        assert judge.outcomes == {"vital": 3, "unreadable": 1}


class TestMatcher:
    def test_labels_become_probabilities(self, stand_in: StandIn) -> None:
        labels = dict(zip(("N0", "N1", "N2"), SUPPORT, strict=True))
        stand_in.rule = labelled(labels.__getitem__)
        assert matched(judge_of(stand_in)) == [
            (doc, name, value) for doc in "abc" for name, value in (("N0", 0.8), ("N1", 0.4))
        ]
        values = matched(judge_of(stand_in), options="support=1,partial=0.06,none=.3", least=0.1)
        assert values == [(doc, name, value) for doc in "abc" for name, value in (("N0", 1.0), ("N2", 0.3))]

    def test_copies_are_one_question_and_the_span_is_the_others(self, stand_in: StandIn) -> None:
        judge = judge_of(stand_in)
        made = AskedMatcher(
            Candidates(("a", "N0", 0.2), ("b", "N0", 0.2)), judge, JudgeOptions(url="", model="m")
        )
        assert list(made.match(NUGGETS, UPDATES)) == [
            PossibleMatch("e", f"{doc}-0", "N0", 0.8, 1, 4) for doc in "ab"
        ]
        assert judge.questions == len(stand_in.requests) == 1
        assert "[2012-02-23 13:20]" in stand_in.prompts[0]  # of the first of them

    def test_the_likeliest_are_asked_about_first_and_the_rest_is_as_it_was(self, stand_in: StandIn) -> None:
        pairs = [("a", "N0", 0.1), ("a", "N1", 0.3), ("a", "N2", 0.2), ("c", "N0", 0.25), ("c", "N2", 0.15)]
        judge = judge_of(stand_in)
        made = AskedMatcher(Candidates(*pairs), judge, judge_options("http://h/v1,model=m,nuggets=2,calls=2"))
        given = {(one.update_id, one.nugget_id): one.probability for one in made.match(NUGGETS, UPDATES)}
        assert [asked_ids(prompt) for prompt in stand_in.prompts] == [["N1", "N2"], ["N0", "N2"]]
        assert given["a-0", "N0"] == 0.1
        assert set(given.values()) == {0.8, 0.1}
        assert made.over == 1
        assert outcome_line(judge, made.over, 2) == (
            "the judge was asked 2 questions: 4 support; 1 pairs were not asked about: an event has 2 questions"
        )

    def test_only_what_is_wanted_is_asked_about(self, stand_in: StandIn) -> None:
        given = matched(judge_of(stand_in), wanted={("e", "c-0"), ("f", "a-0")})
        assert len(stand_in.requests) == 1
        assert "All are safe." in stand_in.prompts[0]
        assert {value for doc, _, value in given if doc != "c"} == {0.5}

    def test_progress_is_told(self, stand_in: StandIn) -> None:
        steps: list[tuple[int, int, str]] = []
        matched(judge_of(stand_in), progress=lambda *step: steps.append(step))
        assert steps == [(0, 2, "e"), (1, 2, "e")]


class TestMisbehaviour:
    @every(
        "way, outcome",
        [
            ("garbage", "unreadable"), ("no choices", "unreadable"), ("flood", "unreadable"), ("404", "failed"),
            ("302", "failed"), ("400", "failed"), ("500", "failed"), ("close", "failed"), ("429 9", "failed"),
        ],
    )  # fmt: skip
    def test_a_pair_without_an_answer_keeps_its_probability(
        self, stand_in: StandIn, way: str, outcome: str
    ) -> None:
        stand_in.ways.clear()
        judge = judge_of(stand_in)
        judge.support("", "First words.", 0, NUGGETS[:1])  # from now on what is refused does not stop the run
        stand_in.ways += [way] * 4
        given = matched(judge, Candidates(("c", "N0", 0.3)))
        assert given == [("c", "N0", 0.3)]
        assert judge.outcomes == {"support": 1, outcome: 1}
        assert outcome in outcome_line(judge, 0, 9)

    def test_what_passes_by_itself_is_asked_again(self, stand_in: StandIn) -> None:
        clock = Clock()
        stand_in.ways += ["429 3", "500", "close"]
        assert matched(judge_of(stand_in, clock=clock), Candidates(("c", "N0", 0.3))) == [("c", "N0", 0.8)]
        assert clock.slept == [3, 1, 2]

    def test_a_server_that_hangs_is_given_up(self, stand_in: StandIn) -> None:
        stand_in.ways += ["hang"]
        judge = judge_of(stand_in, timeout_s=0.05)
        assert matched(judge, Candidates(("c", "N0", 0.3))) == [("c", "N0", 0.3)]
        assert judge.outcomes == {"timeout": 1}

    def test_a_server_without_schemas_is_asked_for_words(self, stand_in: StandIn) -> None:
        stand_in.refused = {"json_schema", "json_object"}
        assert matched(judge_of(stand_in), Candidates(("c", "N0", 0.3))) == [("c", "N0", 0.8)]
        assert stand_in.forms == ["json_schema", "json_object", "text"]

    def test_it_waits_for_a_judge_that_pauses_and_gives_up_after_the_third_time(
        self, stand_in: StandIn
    ) -> None:
        clock = Clock()
        judge = judge_of(stand_in, clock=clock)
        judge.support("", "Words.", 0, NUGGETS[:1])
        stand_in.ways += ["404"] * 3
        for number in range(4):
            judge.support("", f"Words {number}.", 0, NUGGETS[:1])
        assert clock.slept == [60]
        assert judge.outcomes == {"support": 2, "failed": 3}
        stand_in.ways += ["404"] * 100
        for number in range(40):
            judge.support("", f"Other words {number}.", 0, NUGGETS[:1])
        assert clock.slept == [60] * 4
        assert judge.outcomes == {"support": 2, "failed": 12, "unasked": 31}
        assert judge.questions == 14
        assert judge.support("", "Words.", 0, NUGGETS[:1]) == {"N0": "support"}  # that is known

    def test_waiting_is_only_for_the_patient(self, stand_in: StandIn) -> None:
        clock = Clock()
        client = ChatClient(stand_in.url, "m", sleep=clock.sleep, clock=clock)
        judge = NuggetJudge(Questions(client))
        judge.support("", "Words.", 0, NUGGETS[:1])
        stand_in.ways += ["404"] * 3
        for number in range(9):
            judge.support("", f"Words {number}.", 0, NUGGETS[:1])
        assert clock.slept == []
        assert judge.outcomes == {"support": 1, "failed": 9}


class TestKeptAnswers:
    def test_a_run_that_is_stopped_asks_nothing_twice_and_gives_the_same(
        self, stand_in: StandIn, tmp_path: Path
    ) -> None:
        path = tmp_path / "answers.jsonl"
        stand_in.rule = labelled(lambda name: SUPPORT[int(name[1]) % 3])
        whole = matched(judge_of(stand_in), options="nuggets=1")
        assert len(stand_in.requests) == 6
        stand_in.requests.clear()

        def stop(done: int, total: int, words: str) -> None:
            if done == 4:
                raise KeyboardInterrupt

        with FileAnswers(path) as book, pytest.raises(KeyboardInterrupt):
            matched(judge_of(stand_in, book), options="nuggets=1", progress=stop)
        with FileAnswers(path) as book:
            judge = judge_of(stand_in, book)
            assert matched(judge, options="nuggets=1") == whole
        assert len(stand_in.requests) == 6
        assert judge.questions == 6

    def test_prompt_model_and_answer_stand_there(self, stand_in: StandIn, tmp_path: Path) -> None:
        path = tmp_path / "answers.jsonl"
        with FileAnswers(path) as book:
            judge_of(stand_in, book).support("", "Words.", 0, NUGGETS[:1])
        (line,) = path.read_text().splitlines()
        answer = json.loads(line)["answer"]
        assert answer["prompt"] == stand_in.prompts[0]
        assert answer["system"] == stand_in.requests[0]["messages"][0]["content"]
        assert (answer["model"], answer["text"]) == ("stand-in-1", '{"N0": "support"}')

    def test_what_failed_is_asked_anew_by_the_next_run(self, stand_in: StandIn, tmp_path: Path) -> None:
        path = tmp_path / "answers.jsonl"
        for way, outcome in (("400", "failed"), ("garbage", "unreadable"), ("", "unreadable")):
            stand_in.ways[:] = [way] * 3 if way == "400" else [way] if way else []
            with FileAnswers(path) as book:
                judge = judge_of(stand_in, book)
                judge.support("", "Words.", 0, NUGGETS[:1])
            assert judge.outcomes == {outcome: 1}

    def test_half_characters_in_an_answer_are_replaced(self, stand_in: StandIn, tmp_path: Path) -> None:
        stand_in.rule = lambda prompt: '{"N0": "support", "\ud800": "not"}'
        with FileAnswers(tmp_path / "a.jsonl") as book:
            judge = judge_of(stand_in, book)
            assert judge.support("", "Words.", 0, NUGGETS[:1]) == {"N0": "support"}
        assert judge.strangers == 1


class TestOptions:
    def test_are_those_of_the_other_judge(self) -> None:
        options = judge_options(
            "http://h:1/v1/chat/completions, model = org/m , calls=3,nuggets=4,judge-timeout=.5"
        )
        assert options == JudgeOptions(
            url="http://h:1/v1", model="org/m", calls=3, nuggets=4, judge_timeout=0.5
        )
        assert [options.probability(label) for label in SUPPORT] == [0.8, 0.4, 0.0]

    @every(
        "text, words",
        cases(__file__, "what does not fit"),
    )
    def test_what_does_not_fit(self, text: str, words: str) -> None:
        with pytest.raises(UsageError) as refused:
            judge_options(text)
        assert words in str(refused.value)
