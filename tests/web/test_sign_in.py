"""Signing in, out, and being kept out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.annotation.pages.desks import People, client_of, desk_with
from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.web.accounts import hash_password
from tidings.web.guards import public_address
from tidings.web.serving import check_address
from tidings.web.visitors import SiteSettings

PASSWORD = "correct horse"


def signing_in(people: People, **settings: int) -> Any:
    people.desk.accounts.set_password(people.first.id, hash_password(PASSWORD))
    return client_of(people, None, SiteSettings(**settings))


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

    @pytest.mark.long
    def test_what_went_well_is_no_failure_and_other_names_are_not_shut_out(self, people: People) -> None:
        client = signing_in(people, failures=2)
        for _ in range(4):
            assert client.post("/sign-in", data={"name": "first", "password": PASSWORD}).status_code == 303
            client.cookies.clear()
        for _ in range(3):
            client.post("/sign-in", data={"name": "second", "password": "another horse"})
        assert client.post("/sign-in", data={"name": "first", "password": PASSWORD}).status_code == 303

    def test_failures_elsewhere_shut_nobody_out_of_a_browser_that_is_known(self, people: People) -> None:
        """Who guesses waits, by however many addresses; whose name it is signs in where they did before."""
        here = signing_in(people, failures=1, name_failures=2)
        right, wrong = ({"name": "first", "password": word} for word in (PASSWORD, "another horse"))
        assert here.post("/sign-in", data=right).status_code == 303
        here.post("/sign-out")
        for number in range(2):
            there = TestClient(here.app, "http://127.0.0.1", client=(f"10.0.0.{number}", 1))
            assert [there.post("/sign-in", data=word).status_code for word in (wrong, right)] == [403, 429]
        stranger = TestClient(here.app, "http://127.0.0.1", client=("10.0.1.1", 1), follow_redirects=False)
        answer = stranger.post("/sign-in", data=right)
        assert answer.status_code == 429 and answer.headers["retry-after"] == "3600"
        # Who waits for the hour to pass, and tries, does not begin it anew.
        assert people.desk.accounts.failures("name first", within_s=3600) == 2
        assert here.post("/sign-in", data=right).status_code == 303
        # It is known of one account, has tries of its own, and signs nobody in.
        known = here.cookies["tidings_known"]
        stranger.cookies["tidings_desk"] = known
        assert stranger.get("/").status_code == 303
        assert here.post("/sign-out").status_code == 303
        assert [here.post("/sign-in", data=word).status_code for word in (wrong, wrong, right)] == [
            403,
            429,
            429,
        ]
        other = TestClient(
            here.app, "http://127.0.0.1", client=("10.0.1.2", 1), cookies={"tidings_known": known}
        )
        second = {"name": "second", "password": "another horse"}
        assert [other.post("/sign-in", data=second).status_code for _ in range(2)] == [403, 429]

    # What a trusted proxy says of who asks, for three tries; how many are looked at where one may fail.
    @every(
        "forwarded, looked_at",
        [
            (["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3"], 1),
            (["2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1"], 3),
            (["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"], 1),
            (["fe80::1%eth0", "fe80::2%eth1", "fe80::3"], 1),
            (["unknown", "_hidden", "<script>"], 1),
            (["1.1.1.1, 192.0.2.1", "2.2.2.2, 192.0.2.1", "2001:db8::1, 192.0.2.1:4711"], 1),
            ([", ".join(f"10.9.{n}.{m}" for m in range(200)) + ", 192.0.2.1" for n in range(3)], 1),
            (["[2001:db8::1]:80", "[2001:db8::2]:81", "2001:db8::3"], 1),
            (["", "", ""], 1),
            (["x" * 5000 + str(n) for n in range(3)], 1),
        ],
    )
    def test_a_proxy_that_names_many_addresses_of_a_network_names_one(
        self, forwarded: list[str], looked_at: int, tmp_path: Path
    ) -> None:
        with desk_with(tmp_path / "d.db") as people:
            settings = SiteSettings(failures=1, trusted_proxies=("10.1.2.3",))
            app = client_of(people, None, settings).app
            client = TestClient(app, "http://127.0.0.1", client=("::ffff:10.1.2.3", 1))
            wrong = {"name": "first", "password": "another horse"}
            answers = [
                client.post("/sign-in", data=wrong, headers={"x-forwarded-for": one}).status_code
                for one in forwarded
            ]
            assert answers == [403] * looked_at + [429] * (3 - looked_at)

    @pytest.mark.parametrize("name", ["FIRST", " First "])
    def test_names_are_the_same_in_any_case(self, people: People, name: str) -> None:
        client = signing_in(people, failures=2)
        assert client.post("/sign-in", data={"name": name, "password": PASSWORD}).status_code == 303
        client.cookies.clear()
        for other in ("first", "fIRST"):
            client.post("/sign-in", data={"name": other, "password": "another horse"})
        assert client.post("/sign-in", data={"name": name, "password": PASSWORD}).status_code == 429

    def test_an_address_that_tries_many_names_has_to_wait(self, people: People) -> None:
        client = signing_in(people, failures=1)
        for n in range(10):
            client.post("/sign-in", data={"name": f"name {n}", "password": "another horse"})
        assert client.post("/sign-in", data={"name": "first", "password": PASSWORD}).status_code == 429

    def test_a_sign_in_ends(self, tmp_path: Path) -> None:
        now = [1000.0]
        with desk_with(tmp_path / "d.db", clock=lambda: now[0]) as people:
            client = client_of(people, people.first, SiteSettings(idle_s=100, longest_s=1000))
            for _ in range(11):
                now[0] += 90
                assert client.get("/").status_code == 200
            now[0] += 90
            assert client.get("/").status_code == 303
            client = client_of(people, people.first, SiteSettings(idle_s=100, longest_s=1000))
            now[0] += 101
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


class TestNames:
    @pytest.mark.parametrize(
        "host", ["evil.example", "10.0.0.7", "evil.example:8571", "127.0.0.1.evil.example", "[bad", ""]
    )
    def test_the_desk_answers_to_no_other(self, people: People, host: str) -> None:
        answer = client_of(people, people.first).get("/", headers={"host": host})
        assert answer.status_code == 400 and "--public-url" in answer.text
        assert "collection" not in answer.text and "content-security-policy" in answer.headers

    @pytest.mark.parametrize(
        "host", ["localhost:8571", "127.0.0.1:1", "[::1]:8571", "Desk.Example", "10.0.0.7:80"]
    )
    def test_it_answers_to_its_own(self, people: People, host: str) -> None:
        settings = SiteSettings(hosts=("desk.example", "0.0.0.0"))
        answer = client_of(people, people.first, settings).get("/", headers={"host": host})
        assert answer.status_code == 200

    def test_links_are_those_that_others_can_follow(self, people: People) -> None:
        settings = SiteSettings(public_url="https://desk.example", hosts=("desk.example",))
        shown = client_of(people, people.lead, settings).post(
            "/projects/1/team/members", data={"name": "newcomer", "role": "assessor"}
        )
        assert 'value="https://desk.example/welcome/' in shown.text

    @every(
        "url",
        ["desk.example", "ftp://desk.example", "https://desk.example/under", "https://", "https://a@desk.example",
         "https://desk.example:99999", "https://desk.example?x", "https://[desk"],
    )  # fmt: skip
    def test_what_is_no_address_is_refused(self, url: str) -> None:
        with pytest.raises(UsageError, match="--public-url"):
            public_address(url)


class TestInvitations:
    def test_a_link_chooses_a_password_once(self, people: People) -> None:
        token = people.desk.accounts.invite(people.second.id)
        client = client_of(people, None)
        assert "second" in client.get(f"/welcome/{token}").text
        short = client.post(f"/welcome/{token}", data={"password": "short", "again": "short"})
        other = client.post(f"/welcome/{token}", data={"password": PASSWORD, "again": "another horse"})
        assert (short.status_code, other.status_code) == (422, 422)
        answer = client.post(f"/welcome/{token}", data={"password": PASSWORD, "again": PASSWORD})
        assert answer.status_code == 303 and client.get("/").status_code == 200
        assert client.get(f"/welcome/{token}").status_code == 410
        again = client.post(f"/welcome/{token}", data={"password": "x" * 12, "again": "x" * 12})
        assert again.status_code == 410

    def test_an_older_link_is_used_up_with_a_newer_one_and_with_the_account(self, people: People) -> None:
        accounts, chosen = people.desk.accounts, {"password": PASSWORD, "again": PASSWORD}
        older, newer = accounts.invite(people.second.id), accounts.invite(people.second.id)
        others = accounts.invite(people.first.id)
        client = client_of(people, None)
        assert client.post(f"/welcome/{newer}", data=chosen).status_code == 303
        assert client.post(f"/welcome/{older}", data=chosen).status_code == 410
        assert client.get(f"/welcome/{others}").status_code == 200
        accounts.disable(people.first.id)
        assert client.get(f"/welcome/{others}").status_code == 410

    def test_neither_a_made_up_nor_an_old_one_does(self, tmp_path: Path) -> None:
        now = [1000.0]
        with desk_with(tmp_path / "d.db", clock=lambda: now[0]) as people:
            token = people.desk.accounts.invite(people.second.id)
            client = client_of(people, None)
            assert client.get("/welcome/nothing").status_code == 410
            now[0] += 8 * 86400
            assert client.get(f"/welcome/{token}").status_code == 410

    def test_what_is_kept_signs_nobody_in(self, people: People, tmp_path: Path) -> None:
        """Neither tokens nor passwords can be read in the store."""
        client = signing_in(people)
        client.post("/sign-in", data={"name": "first", "password": PASSWORD})
        token = people.desk.accounts.invite(people.second.id)
        kept = b"".join(path.read_bytes() for path in tmp_path.glob("desk.db*"))
        for secret in (PASSWORD, token, client.cookies["tidings_desk"]):
            assert secret.encode() not in kept
        assert b"$argon2id$" in kept


class TestWhereItListens:
    def test_elsewhere_only_with_accounts(self) -> None:
        for host in ("127.0.0.1", "::1", "localhost"):
            check_address(host, has_accounts=False)
        for host in ("0.0.0.0", "192.168.1.5", "::", "desk.example"):
            check_address(host, has_accounts=True)
            with pytest.raises(UsageError, match="--password-file"):
                check_address(host, has_accounts=False)
