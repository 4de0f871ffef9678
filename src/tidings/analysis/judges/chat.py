"""Asking a language model over an OpenAI-compatible address: one question, one answer, or none in time.

The form of the answer is asked for in three ways, since many servers know only some of them: as a JSON schema, as any
JSON object, in words alone. A server that refuses one with 400 or 422 and takes a later one is asked in that from then
on. What the answer says is for the caller to read.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from tidings.core import JudgeError, UsageError

KEY = "TIDINGS_JUDGE_KEY"
"""The environment's variable with the key that is sent, if there is one; there is no other way to give it."""

MOST_BYTES = 262_144
"""Bytes of the longest answer that is read."""

_SEED = 1  # so that the same question gets the same answer, where a server heeds it
_ATTEMPTS = 4  # at one question, while a server is busy
_FIRST_WAIT_S = 0.5  # doubled with each attempt
_FAILURES = 3  # in a row, after which nothing is asked for a while
_PAUSE_S = 60.0  # of that while
_MOST_DETAIL = 300  # characters of a server's words in a message
_FORMS = ("json_schema", "json_object", "text")
_WRONG_FORM = (400, 422)  # answers of servers that do not know the form asked for
_WRONG_SETTINGS = {401: "the key", 403: "the key", 404: "the address or the model's name"}


Outcome = Literal["answered", "unreadable", "timeout", "failed", "unasked"]


class ChatAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a question brought, with how it came about; this is what an answer book keeps.

    `outcome` is `answered` (`text` holds what the model said), `unreadable` (the server answered, but not as one that
    is OpenAI-compatible does, or without end), `timeout` or `failed`; of a question that was not even put, `unasked`.
    `detail` says why there is no text. `digest` is the question's key, `form` how the answer was asked for, `time` when
    (seconds UTC), `seconds` how long it took, `tokens` how many the server says that it read and wrote (0:
    it says nothing). `system` and `prompt` are what was asked, where the book is to hold that.
    """

    outcome: Outcome
    text: str = ""
    digest: str = ""
    model: str = ""
    form: str = ""
    time: int = 0
    seconds: float = 0.0
    tokens: int = 0
    detail: str = ""
    system: str = ""
    prompt: str = ""


def chat_url(text: str) -> str:
    """An address as it is asked: without a slash at its end, and without `/chat/completions`.

    Raises:
        UsageError: it is none of the web, or holds a name and a password, which would be written wherever it is.

    >>> chat_url("http://localhost:8000/v1/"), chat_url("https://models.example/v1/chat/completions")
    ('http://localhost:8000/v1', 'https://models.example/v1')
    >>> chat_url("localhost:8000")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: 'localhost:8000' is not the address of a judge; give one such as http://localhost:8000/v1
    """
    from tidings.core import is_web_address

    if not is_web_address(text):
        raise UsageError(f"{text!r} is not the address of a judge; give one such as http://localhost:8000/v1")
    parts = urlsplit(text)
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"a name or a password in the address of the judge at {parts.hostname} (expected none, since the "
            f"address is kept with the run); put the key into the environment's {KEY}"
        )
    return text.rstrip("/").removesuffix("/chat/completions").rstrip("/")


class ChatClient:
    """Asks one model at one address.

    Args:
        url: the address without `/chat/completions`, as `http://localhost:8000/v1`; only that is asked: redirects are
            not followed, and proxies of the environment are not used.
        model: the name of the model there.
        timeout_s: seconds for a question, attempts that failed among them.
        sleep, clock: wait and tell the time in seconds; for tests.

    A server that answers 429 or 5xx, or closes the connection, is asked again, after 0.5, 1 and 2 seconds or as it says
    in `Retry-After`, as long as the time lasts. After three questions in a row without an answer the questions of the
    next minute are not asked: they fail at once.

    Raises:
        UsageError: the address or the key cannot be used.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        timeout_s: float = 20.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from tidings.core import DirectClient, user_agent

        self.url, self.model, self.timeout_s = chat_url(url), model, timeout_s
        self._sleep, self._clock = sleep, clock
        key = os.environ.get(KEY, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise UsageError(
                f"a key in {KEY} that cannot be sent (expected letters, digits and signs of ASCII)"
            )
        headers = {"authorization": f"Bearer {key}"} if key else {}
        encrypted = self.url.lower().startswith("https:")
        self._client = DirectClient(
            user_agent(), headers=headers, most_bytes=MOST_BYTES, encrypted=encrypted, clock=clock
        )
        self._form = 0
        self._has_answered = False
        self._failures, self._paused_until = 0, 0.0

    def ask(self, system: str, prompt: str, schema: Mapping[str, Any], digest: str = "") -> ChatAnswer:
        """What the model answers to `prompt`, after the words of `system`.

        `schema` is the JSON schema of the object that is asked for, `digest` what the answer is to be known by.

        Raises:
            JudgeError: the key, the address or the model's name is refused, or nobody listens at the address, and no
                question was ever answered.
        """
        began = self._clock()
        if began < self._paused_until:
            answer = ChatAnswer(outcome="failed", detail="not asked, since the last three questions failed")
        else:
            answer = self._ask(system, prompt, schema, began + self.timeout_s)
            self._count(answer)
        seconds = round(self._clock() - began, 3)
        model, now = answer.model or self.model, int(time.time())
        return _complete(answer, digest=digest, model=model, time=now, seconds=seconds)

    def wait(self) -> bool:
        """Wait until questions are asked again, where they are not after failures; whether it had to."""
        left_s = self._paused_until - self._clock()
        if left_s > 0:
            self._sleep(left_s)
        return left_s > 0

    def _count(self, answer: ChatAnswer) -> None:
        if answer.outcome in ("answered", "unreadable"):
            self._has_answered, self._failures = True, 0
            return
        self._failures += 1
        if self._failures >= _FAILURES:
            self._failures, self._paused_until = 0, self._clock() + _PAUSE_S

    def _ask(self, system: str, prompt: str, schema: Mapping[str, Any], until: float) -> ChatAnswer:
        answer = ChatAnswer(outcome="failed")
        for number in range(self._form, len(_FORMS)):
            body = self._body(system, prompt, schema, _FORMS[number])
            status, answer = self._send(body, until)
            answer = _complete(answer, form=_FORMS[number])
            if status not in _WRONG_FORM:
                if status == 200:
                    self._form = number
                break
        return answer

    def _body(self, system: str, prompt: str, schema: Mapping[str, Any], form: str) -> dict[str, Any]:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        body: dict[str, Any] = {"model": self.model, "messages": messages, "temperature": 0, "seed": _SEED}
        if form == "json_schema":
            wanted = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": form, "json_schema": wanted}
        elif form == "json_object":
            body["response_format"] = {"type": form}
        return body

    def _send(self, body: dict[str, Any], until: float) -> tuple[int, ChatAnswer]:
        """The status of the last attempt (0 where none was answered), and what it brought."""
        status, answer = 0, ChatAnswer(outcome="timeout", detail=f"no answer within {self.timeout_s:g} s")
        for attempt in range(_ATTEMPTS):
            status, answer, asked_s = self._attempt(body, until)
            if answer.outcome != "failed" or (status and status != 429 and status < 500):
                break
            wait_s = asked_s or _FIRST_WAIT_S * 2**attempt
            if attempt == _ATTEMPTS - 1 or self._clock() + wait_s >= until:
                break
            self._sleep(wait_s)
        return status, answer

    def _attempt(self, body: dict[str, Any], until: float) -> tuple[int, ChatAnswer, float]:
        from tidings.core import asked_wait_s

        response = self._client.ask(f"{self.url}/chat/completions", until - self._clock(), json=body)
        status, said = response.status, response.body.decode("utf-8", "replace")
        if response.failure == "time":
            return 0, ChatAnswer(outcome="timeout", detail=f"no answer within {self.timeout_s:g} s"), 0.0
        if response.failure == "connection" and not self._has_answered:
            raise JudgeError(
                f"{self.url}: no judge answers there ({response.error}) (expected an OpenAI-compatible "
                "server); start it, or correct the address"
            )
        if response.failure:
            outcome: Outcome = "unreadable" if response.failure == "size" else "failed"
            return status, ChatAnswer(outcome=outcome, detail=short(response.error)), 0.0
        if status == 200:
            return status, _read(said), 0.0
        if status in _WRONG_SETTINGS and not self._has_answered:
            raise JudgeError(
                f"{self.url}: the judge refused the question with {status} ({short(said)}), expected an answer; mend "
                f"{_WRONG_SETTINGS[status]}" + (f" (in the environment's {KEY})" if status < 404 else "")
            )
        words = f"answered with {status}: {said}"
        if response.location:
            words = f"answered with {status} that {response.location} is to be asked: give that address"
        wait_s = asked_wait_s(response.headers, int(time.time())) or 0
        return status, ChatAnswer(outcome="failed", detail=short(words)), wait_s


def _complete(answer: ChatAnswer, **values: Any) -> ChatAnswer:
    from msgspec.structs import replace

    return replace(answer, **values)


def _read(said: str) -> ChatAnswer:
    """The words of the model in what an OpenAI-compatible server sends."""
    try:
        sent = json.loads(said)
        text, model = sent["choices"][0]["message"]["content"], sent.get("model")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        text = model = None
    if not isinstance(text, str):
        words = f"expected choices with a message, found {said}"
        return ChatAnswer(outcome="unreadable", detail=short(words))
    usage = sent.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else 0
    return ChatAnswer(
        outcome="answered",
        text=_whole(text),
        model=_whole(model) if isinstance(model, str) else "",
        tokens=tokens if isinstance(tokens, int) and 0 < tokens < 1 << 63 else 0,
    )


def _whole(text: str) -> str:
    """Without halves of characters, which JSON can send and nothing can keep."""
    return text.encode("utf-8", "replace").decode()


def short(words: str) -> str:
    """The beginning of what a server said, in one line."""
    words = " ".join(words.split())
    return words if len(words) <= _MOST_DETAIL else f"{words[:_MOST_DETAIL]}…"
