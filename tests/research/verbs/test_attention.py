"""`tidings attention`."""

from __future__ import annotations

from tests.conftest import ROOT
from tests.sweeps import every
from tidings.cli import run

TINY = str(ROOT / "tests" / "research" / "systems" / "data" / "hres-tiny.safetensors")


def test_shows_every_hop_and_writes_both_pictures(tmp_path, capsys):
    svg, html = tmp_path / "a.svg", tmp_path / "a.html"
    given = [
        "attention",
        TINY,
        "Fire on the ferry",
        "-q",
        "ferry fire",
        "--out",
        str(svg),
        "--out",
        str(html),
    ]
    assert run(given) == 0
    said = capsys.readouterr()
    assert [line for line in said.out.splitlines() if line.startswith("hop")] == ["hop 1", "hop 2", "hop 3"]
    assert "\x1b" not in said.out
    assert "A hop is one of several looks at the sentence" in said.out
    assert "colour" not in said.out
    assert "a.svg" in said.err
    assert svg.read_text().startswith("<svg")
    assert html.read_text().count("<svg") == 2


def test_colours_are_explained_where_there_are_some(capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(["attention", TINY, "Fire on the ferry", "-q", "ferry fire"]) == 0
    said = capsys.readouterr().out
    assert "\x1b[48;5;30" in said
    assert "The deeper the color of a word" in said


@every(
    "model, sentence, said",
    [(TINY, " – ", "no word"), ("no-such-file", "Fire", "the model cannot be read")],
)
def test_says_what_is_wrong(model, sentence, said, capsys):
    assert run(["attention", model, sentence, "--query", "ferry"]) != 0
    assert said in capsys.readouterr().err


def test_the_page_does_not_replace_the_model(tmp_path, capsys) -> None:
    from shutil import copy

    model = tmp_path / "m.safetensors"
    copy(TINY, model)
    before = model.read_bytes()
    for option, called in (("--out", "--out"), ("--svg", "--out")):
        assert run(["attention", str(model), "Fire on the ferry", "-q", "ferry", option, str(model)]) == 2
        assert f"the model as {called}" in capsys.readouterr().err
    assert model.read_bytes() == before


def test_an_empty_model_is_the_one_that_comes_with_tidings(capsys) -> None:
    assert run(["attention", "", "Fire on the ferry", "-q", "ferry fire"]) == 0
    assert "Fire" in capsys.readouterr().out
    assert run(["attention", "", "", "-q", "ferry fire"]) == 2
    assert "empty" in capsys.readouterr().err
