"""`tidings assess projects`, `users` and `demo`."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import People, client_of, desk_with
from tests.sweeps import cases
from tidings.annotation.desk.demo import demo_project
from tidings.annotation.store import Desk
from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.records import Run, Update
from tidings.core.records.judgments import Member, judge_layer
from tidings.core.store import open_store
from tidings.sources import bundled
from tidings.sources.streams import read_judgments, read_stream
from tidings.web.accounts import check_password
from tidings.web.visitors import SiteSettings


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def assess(*words: str) -> int:
    return tidings(["assess", *words, "--store", "d.db"])


class TestProjects:
    def test_are_made_listed_and_changed(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("rules.md").write_text("Be *kind*.")
        assert assess("projects", "--add", "one", "--judges", "2", "--tasks", "matching, extraction") == 0
        assert assess("import", str(bundled.path()), "--project", "one", "--unjudged") == 0
        more = ("--idle", "60", "--name", "two", "--guidelines", "rules.md", "--judges", "3")
        assert assess("projects", "--change", "one", *more) == 0
        with open_store("d.db", read_only=True) as store:
            (project,) = Desk(store).projects.all()
        assert (project.name, project.judges, project.idle_s) == ("two", 3, 60)
        assert (project.tasks, project.guidelines) == (("matching", "extraction"), "Be *kind*.")
        capsys.readouterr()
        assert assess("projects") == 0
        assert capsys.readouterr().out.splitlines()[-1].split() == [
            "two",
            "1",
            "536",
            "82",
            "82",
            "0",
            "3",
            "60",
        ]

    @pytest.mark.parametrize(
        ("words", "said"),
        cases(__file__, "what is wrong is said", lists=True),
    )
    def test_what_is_wrong_is_said(
        self, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert assess("projects", "--add", "a") == 0
        capsys.readouterr()
        assert assess("projects", *words) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line

    def test_listing_makes_no_store(self) -> None:
        assert assess("projects") == 2 and not Path("d.db").exists()


class TestUsers:
    def test_are_made_invited_and_put_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("word").write_text("correct horse\nmore\n")
        assert assess("projects", "--add", "p") == 0
        assert assess("users", "--add", "anna", "--project", "p", "--role", "lead") == 0
        assert assess("users", "--add", "bo", "--project", "p", "--password-file", "word") == 0
        first = re.findall(r"anna opens this path on your site: /welcome/(\S+)", capsys.readouterr().err)
        assert assess("users", "--invite", "anna", "--disable", "bo") == 0
        told = capsys.readouterr()
        again = re.findall(r"/welcome/(\S+)", told.err)
        assert [line.split("  ")[0] for line in told.out.splitlines()[2:]] == ["anna", "bo"]
        assert "no password yet" in told.out and "disabled" in told.out and "p (lead)" in told.out
        with open_store("d.db") as store:
            desk = Desk(store)
            anna, bo = desk.accounts.find("anna"), desk.accounts.find("bo")
            assert anna is not None and bo is not None and bo.disabled_time is not None
            assert check_password(bo.password_hash, "correct horse")
            assert [desk.accounts.invited(token) for token in first + again] == [None, anna]
            assert Member(1, bo.id, "bo", "assessor") in desk.projects.members(1)
        assert assess("users", "--enable", "bo") == 0
        assert "disabled" not in capsys.readouterr().out

    def test_a_name_is_one_in_any_case_but_older_accounts_stay(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert assess("users", "--add", "Łucja") == 0
        assert assess("users", "--add", "łUCJA", "--disable", "ŁUCJA") == 0
        with open_store("d.db") as store:
            accounts = Desk(store).accounts
            (one,) = accounts.all()
            assert one.name == "Łucja" and one.disabled_time is not None
            for name in ("łucja", "Łucja"):
                with pytest.raises(UsageError, match="An account named Łucja already exists"):
                    accounts.add(name)
            older = accounts.add("łucja", as_written=True)
            assert (accounts.find("łucja"), accounts.find("Łucja"), accounts.find("ŁUCJA")) == (
                older,
                one,
                None,
            )
            with pytest.raises(UsageError, match="An account named łucja already"):
                accounts.add("łucja", as_written=True)
        capsys.readouterr()
        assert assess("users") == 0
        assert "Łucja and łucja differ in case alone" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("words", "said"),
        cases(__file__, "what is wrong is said 2", lists=True),
    )
    def test_what_is_wrong_is_said(
        self, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert assess("users", "--add", "a") == 0
        capsys.readouterr()
        assert assess("users", *words) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line
        with open_store("d.db", read_only=True) as store:
            assert [one.name for one in Desk(store).accounts.all()] == ["a"]


class TestServe:
    @pytest.fixture
    def served(self, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
        """What is served, and how; nothing is."""
        given: dict[str, Any] = {}

        def run(desk: Desk, listener: Any, *, settings: SiteSettings, ready: Any) -> None:
            given.update(accounts=[one.name for one in desk.accounts.all()], settings=settings)
            ready(settings.public_url or f"http://127.0.0.1:{listener.getsockname()[1]}")

        monkeypatch.setattr("tidings.annotation.pages.app.run", run)
        return given

    def test_where_the_address_is_taken_nothing_is_made(
        self, served: dict[str, Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            assert assess("serve", "--port", port) == 2
            assert tidings(["assess", "demo", "--port", port, "--store", "demo.db", "--no-open"]) == 2
        for line in capsys.readouterr().err.splitlines():
            assert f"cannot listen on 127.0.0.1:{port}" in line
        assert served == {} and list(Path().iterdir()) == []

    def test_it_is_told_where_others_reach_it(
        self, served: dict[str, Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert assess("serve", "--port", "0", "--public-url", "https://desk.example:444/") == 0
        assert "The desk is at https://desk.example:444/welcome/" in capsys.readouterr().err
        settings = served["settings"]
        assert (settings.https, settings.public_url) == (True, "https://desk.example:444")
        assert (settings.hosts, served["accounts"]) == (("127.0.0.1", "desk.example"), ["lead"])
        assert assess("serve", "--port", "0", "--public-url", "desk.example") == 2
        assert assess("serve", "--port", "0") == 0
        assert not served["settings"].https and "at http://127.0.0.1:" in capsys.readouterr().err


def demo_of(people: People) -> int:
    folder = bundled.path()
    documents = list(read_stream(folder))
    judgments = read_judgments(folder)
    rows = judgments.pool
    runs = [
        Run("demo", name, tuple(
            Update("santiago-2013", row.doc_id, row.sentence_index, row.published_time, text=row.text)
            for row in rows[start::step]
        ))
        for name, start, step in (("a", 0, 9), ("b", 1, 9), ("c", 0, 18))
    ]  # fmt: skip
    return demo_project(people.desk, "demo", judgments, runs, documents).id


class TestDemo:
    def test_half_is_judged_a_quarter_twice_and_not_all_alike(self, tmp_path: Path) -> None:
        with desk_with(tmp_path / "demo.db") as people:
            project = demo_of(people)
            layers = {one.name: judge_layer(one.id) for one in (people.first, people.second)}
            values = {
                name: {
                    one.id: one.value for one in people.desk.log.objects(project, layer=layer, kind="matches")
                }
                for name, layer in layers.items()
            }
            pool = people.desk.projects.items(project, 1, "update")
            assert len(pool) // 2 <= len(values["first"]) + 1 <= len(pool) // 2 + 4
            assert set(values["second"]) < set(values["first"])
            parted = [one for one, value in values["second"].items() if value != values["first"][one]]
            assert 0 < len(parted) <= len(values["second"]) // 4 + 1
            assert set(people.desk.claims.holders(project, 1, "matching")) <= set(values["first"])
            counts = people.desk.log.count_objects(project)
            assert counts[1, "final", "grade"] == 42 and counts[1, layers["first"], "cluster"] > 3
            times = [entry.recorded_ms for entry in people.desk.log.entries(project) if entry.account_id]
            assert times == sorted(times) and times[-1] < people.desk.clock() * 1000

    def test_a_link_signs_in_once(self, tmp_path: Path) -> None:
        with desk_with(tmp_path / "demo.db") as people:
            client = client_of(people, None, SiteSettings(links_sign_in=True))
            link = f"/welcome/{people.desk.accounts.invite(people.first.id)}"
            answer = client.get(link)
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            assert "collection" in client.get("/").text
            assert client_of(people, None, SiteSettings(links_sign_in=True)).get(link).status_code == 410
            kept = f"/welcome/{people.desk.accounts.invite(people.first.id)}"
            assert all(client_of(people, None).get(kept).status_code == 200 for _ in range(2))

    @pytest.mark.long
    def test_it_opens_in_one_command_and_leaves_nothing(self, tmp_path: Path) -> None:
        import httpx

        command = [sys.executable, "-m", "tidings", "assess", "demo", "--no-open"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=_home(tmp_path)) as serving:
            assert serving.stderr is not None
            links = [serving.stderr.readline().split() for _ in range(3)]
            assert [name for name, _ in links] == ["lead", "first", "second"]
            with httpx.Client(follow_redirects=True) as client:
                assert "Angrois" in client.get(links[1][1]).text
                for page in ("matching", "clusters", "entities"):
                    address = links[1][1].split("/welcome/")[0] + f"/projects/1/topics/1/{page}"
                    assert client.get(address).status_code == 200
            serving.send_signal(signal.SIGINT)
            assert serving.wait(120) == 0
        assert list(tmp_path.iterdir()) == []


def _home(folder: Path) -> dict[str, str]:
    import os

    return {**os.environ, "TMPDIR": str(folder)}
