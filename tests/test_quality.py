"""The quality gate: no system scores below its floor in quality.toml, and no floor goes down unnoticed."""

from __future__ import annotations

from pathlib import Path

import pin_quality as quality
import pytest

from tests.sweeps import every

PINNED = quality.read()
QUICK = [part for part in quality.PARTS if part.quick]
LONG = [part for part in quality.PARTS if part.year]
# Beside the bundled event, which all are measured on, the default suite tries those that most runs are made with.
MOST_USED = ["tidings", "cosine"]


def check(part: quality.Part, data: Path, systems: list[str]) -> None:
    said = []
    for system in systems:
        try:
            said += quality.failures(PINNED, quality.measure(system, part, data))
        except Exception as error:  # noqa: BLE001 what one system does must not hide another
            said.append(f"{system} on {part.name}: {type(error).__name__}: {error}")
    assert not said, "\n".join(dict.fromkeys(said))


def marked(part: quality.Part) -> object:
    marks = [pytest.mark.shared_data] if part.year else []
    return pytest.param(part, id=part.name, marks=marks)


@pytest.mark.parametrize("part", [marked(part) for part in QUICK])
def test_floors_are_held(part, request) -> None:
    if part.year:
        check(part, request.getfixturevalue("shared_data"), MOST_USED)
    else:
        check(part, quality.DATA, quality.gated())


@pytest.mark.long
@pytest.mark.parametrize("part", [marked(part) for part in LONG])
def test_floors_are_held_on_real_events(part, request) -> None:
    check(part, request.getfixturevalue("shared_data"), quality.gated())


@pytest.mark.long
@every("kind", quality.MEASURED)
def test_digests_and_stories_hold_their_floors(kind: str, shared_data) -> None:
    found, pinned = quality.MEASURED[kind](shared_data), PINNED.floors[kind]
    assert found.figures.keys() == pinned.figures.keys()
    assert quality.below(PINNED, kind, found) == []
    assert pinned.data in ("", found.data), "other data than was pinned"


def test_a_floor_of_digests_falls_only_with_a_reason() -> None:
    def merged(value: float, why: str = "") -> quality.Pinned:
        return quality.merge_floors(old, "digests", quality.Floors({"AR-1": value}, "ab"), why)

    old = quality.Pinned()
    old = merged(0.2)
    assert merged(0.199).floors == old.floors
    with pytest.raises(quality.WorseError, match=r"AR-1 0\.1000"):
        merged(0.1)
    fallen = merged(0.1, "less is quoted")
    assert fallen.floors["digests"].figures["AR-1"] < 0.1
    assert fallen.lowered == ("digests: AR-1 0.1000, its floor is 0.1970 (less is quoted)",)


def test_floors_and_the_digest_of_their_data_are_read_back(tmp_path: Path) -> None:
    pinned = quality.Pinned(floors={"stories": quality.Floors({"feeds F1": 0.9}, "ab12")})
    (tmp_path / "q.toml").write_text(quality.render(pinned))
    assert quality.read(tmp_path / "q.toml") == pinned


def test_every_system_is_pinned_on_every_part() -> None:
    assert set(PINNED.pins) == {(part.name, system) for part in quality.PARTS for system in quality.gated()}


def test_floors_stand_close_under_the_figures() -> None:
    for pin in PINNED.pins.values():
        assert pin.floor <= pin.figures["H"], pin.key
        assert quality.floor_under(pin.figures["H"]) <= pin.floor, pin.key


def test_the_file_is_what_the_script_writes() -> None:
    assert quality.FILE.read_text(encoding="utf-8") == quality.render(PINNED)


class TestPinning:
    """The script on a file of its own, with figures made up."""

    @pytest.fixture
    def pin(self, tmp_path, monkeypatch):
        monkeypatch.setattr(quality, "gated", lambda: ["first", "cosine"])

        def pin(H: dict[str, float], *more: str) -> int:
            def measuring(system: str, part: quality.Part, data: Path) -> quality.Pin:
                figures = dict.fromkeys(quality.FIGURES, 0.5) | {"H": H[system]}
                floor = quality.floor_under(H[system])
                return quality.Pin(system, part.name, "d", "", figures, floor)

            arguments = ["--file", str(tmp_path / "q.toml"), "--data", str(tmp_path / "none"), *more]
            return quality.main(arguments, measuring)

        pin.path = tmp_path / "q.toml"
        return pin

    def floors(self, pin) -> dict[str, float]:
        return {one.system: one.floor for one in quality.read(pin.path).pins.values()}

    def test_floors_go_up(self, pin) -> None:
        assert pin({"first": 0.1, "cosine": 0.2}) == 0
        assert self.floors(pin) == {"first": 0.098, "cosine": 0.197}
        assert pin({"first": 0.1, "cosine": 0.3}) == 0
        assert self.floors(pin) == {"first": 0.098, "cosine": 0.296}

    def test_a_little_less_leaves_the_floor_where_it_is(self, pin) -> None:
        assert pin({"first": 0.1, "cosine": 0.2}) == 0
        assert pin({"first": 0.1, "cosine": 0.198}) == 0
        assert self.floors(pin)["cosine"] == 0.197

    def test_lowering_is_refused_and_nothing_written(self, pin, capsys) -> None:
        assert pin({"first": 0.1, "cosine": 0.2}) == 0
        before = pin.path.read_bytes()
        assert pin({"first": 0.3, "cosine": 0.19}) == 1
        assert "cosine on bundled: H 0.1900, its floor is 0.1970" in capsys.readouterr().err
        assert pin.path.read_bytes() == before

    def test_a_system_that_is_gone_counts_as_lowered(self, pin, monkeypatch) -> None:
        assert pin({"first": 0.1, "cosine": 0.2}) == 0
        monkeypatch.setattr(quality, "gated", lambda: ["first"])
        assert pin({"first": 0.1}) == 1

    def test_lowering_with_a_reason_keeps_the_reason(self, pin) -> None:
        assert pin({"first": 0.1, "cosine": 0.2}) == 0
        with pytest.raises(SystemExit):
            pin({"first": 0.1, "cosine": 0.1}, "--allow-lower")
        assert pin({"first": 0.1, "cosine": 0.1}, "--allow-lower", "--why", 'it was "too good"') == 0
        assert self.floors(pin)["cosine"] == 0.098
        (line,) = quality.read(pin.path).lowered
        assert line == 'cosine on bundled: H 0.1000, its floor is 0.1970 (it was "too good")'

    def test_one_system_alone_leaves_the_others(self, pin) -> None:
        assert pin({"first": 0.1, "cosine": 0.2}) == 0
        assert pin({"first": 0.2, "cosine": 0.0}, "--only", "first") == 0
        assert self.floors(pin) == {"first": 0.197, "cosine": 0.197}

    def test_checking_writes_nothing_and_says_what_fell(self, pin, capsys) -> None:
        assert pin({"first": 0.1, "cosine": 0.2}) == 0
        before = pin.path.read_bytes()
        assert pin({"first": 0.1, "cosine": 0.3}, "--check") == 0
        assert pin({"first": 0.1, "cosine": 0.1}, "--check") == 1
        assert "cosine on bundled: H 0.1000 is below its floor 0.1970" in capsys.readouterr().out
        assert pin.path.read_bytes() == before


@every(
    "change, said",
    [
        ({"data": "other"}, "other data"),
        ({"model": "other"}, "other weights"),
        ({"figures": {"H": 0.4}}, "is below its floor 0.4500"),
        ({"system": "new"}, "new on p is not pinned"),
    ],
)
def test_what_differs_from_the_pins_is_said(change, said) -> None:
    pin = {"system": "s", "part": "p", "data": "d", "model": "m", "figures": {"H": 0.46}, "floor": 0.45}
    pinned = quality.Pinned({("p", "s"): quality.Pin(**pin)})
    assert quality.failures(pinned, quality.Pin(**pin)) == []
    (line,) = quality.failures(pinned, quality.Pin(**(pin | change)))
    assert said in line
