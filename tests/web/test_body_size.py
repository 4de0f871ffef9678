"""How long a request may be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.annotation.pages.desks import People, client_of
from tidings.web.guards import MOST_BYTES

NOTE = "/api/projects/1/topics/1/note"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


def parts(count: int) -> Iterator[bytes]:
    """A body of which nobody says beforehand how long it is."""
    for _ in range(count):
        yield b"x" * 2**20


@pytest.mark.parametrize("where", [NOTE, "/sign-in", "/welcome/token"])
@pytest.mark.parametrize("said", [True, False])
def test_a_body_that_is_too_long_is_refused_before_it_is_known_who_sends_it(
    people: People, where: str, said: bool
) -> None:
    sent: list[bytes] = []

    def noted() -> Iterator[bytes]:
        for part in parts(MOST_BYTES // 2**20 + 1):
            sent.append(part)
            yield part

    kind = {"content-type": JSON if where == NOTE else FORM}
    body = b"x" * (MOST_BYTES + 1) if said else noted()
    answer = client_of(people, None).post(where, content=body, headers=kind)
    assert answer.status_code == 413 and "too long" in answer.text
    assert answer.headers["content-security-policy"]


def test_a_long_body_that_fits_is_read(people: People) -> None:
    body = b'{"key": "' + b"x" * (MOST_BYTES - 20) + b'"}'
    answer = client_of(people, people.first).post(NOTE, content=body, headers={"content-type": JSON})
    assert answer.status_code == 422
