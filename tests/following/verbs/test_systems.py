"""`tidings systems`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.cli import run
from tidings.following.systems.registry import available


def said(capsys, *args):
    code = run(["systems", *args])
    return code, capsys.readouterr()


class TestList:
    def test_names_every_system_with_source_and_defaults(self, capsys):
        code, out = said(capsys)
        assert code == 0
        for info in available().values():
            assert f"\n{info.name} " in "\n" + out.out
            assert info.description in out.out
        assert "similarity=0.35" in out.out
        assert "SIGIR 2001" in out.out

    def test_json_holds_all_options(self, capsys):
        code, out = said(capsys, "--format", "json")
        found = {system["name"]: system for system in json.loads(out.out)}
        assert code == 0
        assert list(found) == list(available())
        options = {option["name"]: option for option in found["cosine"]["options"]}
        assert options["overlap"]["default"] == 2
        assert options["updates_per_hour"]["common"] is True


class TestDetail:
    @every("name", list(available()))
    def test_explains_every_option(self, capsys, name):
        code, out = said(capsys, name)
        assert code == 0
        for option in available()[name].options:
            assert f"    {option.name}=" in out.out

    def test_unknown_system(self, capsys):
        code, out = said(capsys, "cosin")
        assert code == 2
        assert "did you mean 'cosine'?" in out.err
        assert out.out == ""


@pytest.mark.parametrize("verb", [["systems"], ["measures"], ["tag", "text.txt"]])
def test_a_file_gets_what_is_printed_in_the_form_that_its_name_says(
    verb: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("Angela Merkel went to Berlin.\n", encoding="utf-8")
    assert run(verb) == 0
    printed = capsys.readouterr().out
    assert run([*verb, "--out", "kept.txt"]) == 0
    assert not capsys.readouterr().out
    assert Path("kept.txt").read_text(encoding="utf-8").rstrip() == printed.rstrip()
    kind = "json" if verb == ["systems"] else "jsonl"
    assert run([*verb, "--out", f"kept.{kind}"]) == 0
    first = Path(f"kept.{kind}").read_text(encoding="utf-8").splitlines()[0]
    assert first == "[" if kind == "json" else isinstance(json.loads(first), dict)
    assert run([*verb, "--out", "kept.png"]) == 2
    assert "the file name does not say which format" in capsys.readouterr().err
