"""The client: what it sends, and what becomes of every way in which a server misbehaves."""

from __future__ import annotations

import msgspec
import pytest

from tests.analysis.judges.stand_in import Clock, StandIn, running, server, verdict
from tests.sweeps import cases, every
from tidings.analysis.judges.chat import ChatAnswer, ChatClient
from tidings.core.errors import JudgeError, UsageError

__all__ = ["server"]


SCHEMA = {"type": "object"}


@pytest.fixture
def stand_in(server: StandIn) -> StandIn:
    server.ways.clear()
    server.refused.clear()
    server.refusing = 400
    for noted in (server.requests, server.headers, server.paths):
        noted.clear()
    return server


@pytest.fixture
def clock() -> Clock:
    return Clock()


def client(stand_in: StandIn, clock: Clock, timeout_s: float = 20.0) -> ChatClient:
    return ChatClient(stand_in.url, "m", timeout_s=timeout_s, sleep=clock.sleep, clock=clock)


def ask(asked: ChatClient, prompt: str = "Is it news?") -> ChatAnswer:
    return asked.ask("Be brief.", prompt, SCHEMA, "a7c5")


class TestAnswered:
    def test_what_is_sent_and_what_is_recorded(
        self, stand_in: StandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TIDINGS_JUDGE_KEY", " s3cret\n")
        answer = ask(client(stand_in, clock))
        (request,) = stand_in.requests
        assert request["messages"] == [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Is it news?"},
        ]
        assert (request["model"], request["temperature"], request["seed"]) == ("m", 0, 1)
        form = request["response_format"]
        assert form["json_schema"] == {"name": "answer", "strict": True, "schema": SCHEMA}
        assert stand_in.paths == ["/v1/chat/completions"]
        assert stand_in.headers[0]["authorization"] == "Bearer s3cret"
        assert (answer.outcome, answer.text, answer.form) == ("answered", verdict(), "json_schema")
        assert (answer.digest, answer.model, answer.seconds) == ("a7c5", "stand-in-1", 0.0)
        assert answer.time > 1_700_000_000

    def test_no_key_is_sent_where_there_is_none(
        self, stand_in: StandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("TIDINGS_JUDGE_KEY", raising=False)
        ask(client(stand_in, clock))
        assert "authorization" not in stand_in.headers[0]

    @pytest.mark.parametrize("status", [400, 422])
    def test_a_refused_form_gives_way_and_is_not_tried_again(
        self, stand_in: StandIn, clock: Clock, status: int
    ) -> None:
        stand_in.refused, stand_in.refusing = {"json_schema", "json_object"}, status
        asked = client(stand_in, clock)
        assert [ask(asked).form, ask(asked).form] == ["text", "text"]
        assert stand_in.forms == ["json_schema", "json_object", "text", "text"]

    def test_a_server_that_knows_any_object(self, stand_in: StandIn, clock: Clock) -> None:
        stand_in.refused = {"json_schema"}
        asked = client(stand_in, clock)
        assert [ask(asked).form, ask(asked).form] == ["json_object", "json_object"]
        assert stand_in.requests[-1]["response_format"] == {"type": "json_object"}

    def test_a_question_that_is_refused_in_every_form_changes_none(
        self, stand_in: StandIn, clock: Clock
    ) -> None:
        asked = client(stand_in, clock)
        stand_in.ways = ["400", "400", "400"]
        refused = ask(asked)
        assert (refused.outcome, refused.detail) == ("failed", "answered with 400: not now")
        assert ask(asked).form == "json_schema"

    def test_a_form_that_brought_no_answer_is_not_kept(self, stand_in: StandIn, clock: Clock) -> None:
        asked = client(stand_in, clock)
        stand_in.ways = ["400", "302"]
        assert (ask(asked).outcome, ask(asked).form) == ("failed", "json_schema")
        assert stand_in.forms == ["json_schema", "json_object", "json_schema"]

    def test_a_slow_answer_in_time_is_one(self, stand_in: StandIn) -> None:
        stand_in.ways = ["slow"]
        answer = ask(ChatClient(stand_in.url, "m"))
        assert answer.outcome == "answered" and answer.seconds >= 0.04


class TestTriedAgain:
    @pytest.mark.parametrize("way", ["500", "503", "429", "close"])
    def test_what_passes_by_itself(self, stand_in: StandIn, clock: Clock, way: str) -> None:
        stand_in.ways = [way, way]
        assert ask(client(stand_in, clock)).outcome == "answered"
        assert clock.slept == [0.5, 1.0]

    def test_as_late_as_the_server_says(self, stand_in: StandIn, clock: Clock) -> None:
        stand_in.ways = ["429 7"]
        assert ask(client(stand_in, clock)).seconds == 7.0
        assert clock.slept == [7.0]

    def test_but_not_beyond_its_time(self, stand_in: StandIn, clock: Clock) -> None:
        stand_in.ways = ["429 20"]
        answer = ask(client(stand_in, clock))
        assert (answer.outcome, answer.detail, clock.slept) == ("failed", "answered with 429: not now", [])

    @pytest.mark.parametrize(
        ("way", "words"), [("500", "answered with 500: not now"), ("close", "broke off")]
    )
    def test_four_times_in_all(self, stand_in: StandIn, clock: Clock, way: str, words: str) -> None:
        stand_in.ways = [way] * 9
        answer = ask(client(stand_in, clock))
        assert answer.outcome == "failed" and words in answer.detail
        assert len(stand_in.requests) == 4 and clock.slept == [0.5, 1.0, 2.0]


class TestNoAnswer:
    @pytest.mark.parametrize("way", ["hang", "drip"])
    def test_in_time(self, stand_in: StandIn, way: str) -> None:
        stand_in.ways = [way]
        answer = ask(ChatClient(stand_in.url, "m", timeout_s=0.1))
        assert (answer.outcome, answer.detail) == ("timeout", "no answer within 0.1 s")
        assert len(stand_in.requests) == 1

    @pytest.mark.parametrize(
        ("way", "words"),
        cases(__file__, "that can be read"),
    )
    def test_that_can_be_read(self, stand_in: StandIn, clock: Clock, way: str, words: str) -> None:
        stand_in.ways = [way]
        answer = ask(client(stand_in, clock))
        assert answer.outcome == "unreadable" and words in answer.detail

    def test_half_a_character_is_replaced(self, stand_in: StandIn, clock: Clock) -> None:
        rule, stand_in.rule = stand_in.rule, lambda question: "\ud800 yes"
        try:
            answer = ask(client(stand_in, clock))
        finally:
            stand_in.rule = rule
        assert answer.text == "? yes"
        assert msgspec.json.decode(msgspec.json.encode(answer), type=ChatAnswer) == answer

    def test_a_redirect_is_not_followed(self, stand_in: StandIn, clock: Clock) -> None:
        stand_in.ways = ["redirect"]
        answer = ask(client(stand_in, clock))
        assert answer.outcome == "failed"
        assert "302 that http://elsewhere.example/v1 is to be asked: give that address" in answer.detail

    def test_after_three_failures_nobody_is_asked_for_a_minute(self, stand_in: StandIn, clock: Clock) -> None:
        asked = client(stand_in, clock)
        stand_in.ways = ["302"] * 3
        assert [ask(asked).outcome for _ in range(5)] == ["failed"] * 5
        assert len(stand_in.requests) == 3
        assert ask(asked).detail == "not asked, since the last three questions failed"
        clock.now += 60
        assert ask(asked).outcome == "answered"

    def test_an_answer_between_failures_begins_anew(self, stand_in: StandIn, clock: Clock) -> None:
        asked = client(stand_in, clock)
        stand_in.ways = ["302", "302", "", "302", "302", ""]
        outcomes = [ask(asked).outcome for _ in range(6)]
        assert outcomes == ["failed", "failed", "answered", "failed", "failed", "answered"]


class TestRefused:
    @pytest.mark.parametrize(
        ("status", "words"), [(401, "mend the key \\(in the environment's TIDINGS"), (404, "model's name$")]
    )
    def test_settings_that_a_server_refuses(
        self, stand_in: StandIn, clock: Clock, status: int, words: str
    ) -> None:
        stand_in.ways = [str(status)]
        with pytest.raises(JudgeError, match=words):
            ask(client(stand_in, clock))

    def test_but_not_once_it_has_answered(self, stand_in: StandIn, clock: Clock) -> None:
        asked = client(stand_in, clock)
        ask(asked)
        stand_in.ways = ["401"]
        assert ask(asked).outcome == "failed"

    def test_nobody_at_the_address(self, clock: Clock) -> None:
        with running() as gone:
            pass
        with pytest.raises(JudgeError, match="no judge answers there"):
            ask(client(gone, clock))

    def test_nobody_there_any_more(self, clock: Clock) -> None:
        with running() as gone:
            asked = client(gone, clock)
            ask(asked)
        answer = ask(asked)
        assert answer.outcome == "failed" and "no connection" in answer.detail

    def test_a_key_that_cannot_be_sent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TIDINGS_JUDGE_KEY", "a\nb")
        with pytest.raises(UsageError, match="cannot be sent"):
            ChatClient("http://localhost/v1", "m")

    @every("url", ["localhost:8000", "ftp://a/v1", "http://", "http://[", "http://a:x/"])
    def test_what_is_no_address(self, url: str) -> None:
        with pytest.raises(UsageError, match="not the address of a judge"):
            ChatClient(url, "m")

    def test_a_password_in_the_address(self) -> None:
        with pytest.raises(UsageError, match="TIDINGS_JUDGE_KEY") as raised:
            ChatClient("http://me:s3cret@a/v1", "m")
        assert "s3cret" not in str(raised.value)
