"""Signing in, out, and being kept out."""

from __future__ import annotations

import pytest

from tests.web.desks import People, client_of
from tidings.web.security.passwords import hash_password
from tidings.web.settings import DeskSettings

PASSWORD = "correct horse"


def signing_in(people: People, **settings: int) -> object:
    people.desk.accounts.set_password(people.first.id, hash_password(PASSWORD))
    return client_of(people, None, DeskSettings(**settings))


class TestSignIn:
    def test_a_name_and_its_password_open_the_desk(self, people: People) -> None:
        client = signing_in(people)
        answer = client.post("/sign-in", data={"name": "first", "password": PASSWORD, "next": "/projects/1"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/projects/1")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=lax" in cookie and "path=/" in cookie
        assert "collection" in client.get("/").text
        assert client.post("/sign-out").status_code == 303
        assert client.get("/").status_code == 303

    def test_another_password_does_not_and_a_stranger_is_told_the_same(self, people: People) -> None:
        client = signing_in(people)
        wrong = client.post("/sign-in", data={"name": "first", "password": "another horse"})
        nobody = client.post("/sign-in", data={"name": "nobody", "password": "another horse"})
        assert wrong.status_code == nobody.status_code == 403
        assert wrong.text == nobody.text.replace("nobody", "first")

    def test_after_some_failures_even_the_right_one_has_to_wait(self, people: People) -> None:
        client = signing_in(people, failures=2)
        for _ in range(2):
            client.post("/sign-in", data={"name": "first", "password": "another horse"})
        answer = client.post("/sign-in", data={"name": "first", "password": PASSWORD})
        assert answer.status_code == 429 and answer.headers["retry-after"] == "900"

    def test_a_disabled_account_is_out_at_once(self, people: People) -> None:
        client = client_of(people, people.first)
        assert client.get("/").status_code == 200
        people.desk.accounts.disable(people.first.id)
        assert client.get("/").status_code == 303

    @pytest.mark.parametrize("elsewhere", ["https://evil.example", "//evil.example", "/\\evil.example"])
    def test_nobody_is_sent_elsewhere(self, people: People, elsewhere: str) -> None:
        client = signing_in(people)
        answer = client.post("/sign-in", data={"name": "first", "password": PASSWORD, "next": elsewhere})
        assert answer.headers["location"] == "/"


class TestOtherSites:
    @pytest.mark.parametrize("site", ["cross-site", "same-site"])
    def test_what_another_site_sends_is_refused(self, people: People, site: str) -> None:
        client = client_of(people, people.first)
        answer = client.post("/sign-out", headers={"sec-fetch-site": site})
        assert answer.status_code == 403
        assert client.get("/").status_code == 200

    def test_an_older_browser_is_known_by_its_origin(self, people: People) -> None:
        client = client_of(people, people.first)
        assert client.post("/sign-out", headers={"origin": "http://evil.example"}).status_code == 403
        assert client.post("/sign-out", headers={"origin": "null"}).status_code == 403
        assert client.post("/sign-out", headers={"origin": "http://127.0.0.1"}).status_code == 303
