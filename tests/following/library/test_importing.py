"""`import tidings` does no work, and its names are there all the same."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tidings
from tests.sweeps import cases

HEAVY = tuple(cases(__file__, "heavy"))


def modules_after(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_import_loads_nothing_else():
    assert not modules_after("import tidings; dir(tidings)") & set(HEAVY)


def test_import_loads_no_room():
    loaded = {name for name in modules_after("import tidings") if name.startswith("tidings")}
    assert loaded == {"tidings"}


@pytest.mark.parametrize(
    "code",
    cases(__file__, "what is not used is not loaded"),
)
def test_what_is_not_used_is_not_loaded(code):
    loaded = modules_after(code)
    assert not loaded & {"pandas", "polars", "pyarrow", "scipy", "sklearn", "torch", "typer", "narwhals"}
    assert not {name for name in loaded if name.startswith("tidings.cli")}


def test_every_public_name_is_there():
    for name in tidings.__all__:
        assert getattr(tidings, name) is not None
        assert name in dir(tidings)
    with pytest.raises(AttributeError, match="tell"):
        tidings.tell  # noqa: B018


def test_star_import_gives_what_is_public():
    scope: dict[str, object] = {}
    code = "from tidings import *"
    exec(code, scope)
    assert set(tidings.__all__) <= set(scope)
