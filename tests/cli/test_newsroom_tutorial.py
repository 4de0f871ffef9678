"""The page for the newsroom: its commands exist, run in their order, and print what it says they print."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tests.cli.test_collection_tutorial import assert_commands, commands_of, same_line
from tests.conftest import ROOT
from tidings.cli import run as tidings
from tidings.live.hosting.service import ServiceSettings
from tidings.live.hosting.supervision import ServiceStatus, Supervisor
from tidings.sources import bundled

COMMANDS = commands_of(ROOT / "docs" / "live" / "newsroom.md")


def test_every_command_of_the_page_is_one() -> None:
    assert_commands(COMMANDS, 5)


@pytest.mark.long
def test_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copytree(bundled.demo_feeds(), tmp_path / "feeds")
    monkeypatch.chdir(tmp_path)

    def until_followed(app: Any, listener: Any, settings: Any, ready: Any, **_: Any) -> None:
        port = listener.getsockname()[1]
        ready(f"http://127.0.0.1:{8570 if served else port}")
        served.append(app)

    class Quick(Supervisor):
        """Follows all at once, here."""

        def __enter__(self) -> Quick:
            from msgspec.structs import replace

            from tidings.live.hosting.service import hosted_service

            with hosted_service(replace(self._settings, speed=0), stop=lambda: bool(over)) as service:
                over: list[bool] = []
                for _ in service.run:
                    if service.run.followed >= 34:
                        over.append(True)
            return self

        def __exit__(self, *_: object) -> None:
            pass

        @property
        def status(self) -> ServiceStatus:
            return ServiceStatus(state="following")

    served: list[Any] = []
    monkeypatch.setattr("tidings.web.serve", until_followed)
    for words, shown in COMMANDS:
        if words[0] == "serve":
            kind = Quick if words[1] != "demo" else _Idle
            monkeypatch.setattr("tidings.live.hosting.supervision.Supervisor", kind)
        more = [] if words[0] != "serve" else ["--no-open"] if words[1] == "demo" else ["--port", "0"]
        assert tidings([*words, *more]) == 0, words
        told = capsys.readouterr()
        printed = [line.rstrip() for line in (told.out + told.err).splitlines()]
        for line in shown:
            assert any(same_line(line, one) for one in printed), f"{line}\n" + "\n".join(printed)


class _Idle:
    status = ServiceStatus()

    def __init__(self, settings: ServiceSettings, *_: object) -> None:
        pass

    def __enter__(self) -> _Idle:
        return self

    def __exit__(self, *_: object) -> None:
        pass
