"""Times and durations in every form that a caller may have them."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest

import tidings
from tests.sweeps import cases
from tidings.core.errors import TidingsError, UsageError
from tidings.following.library.arguments import as_duration, as_interval, as_time, is_missing

NOON = 1_714_564_800
PARIS = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    "value",
    [
        NOON,
        float(NOON) + 0.9,
        np.int64(NOON),
        np.float64(NOON),
        "2024-05-01T12:00:00Z",
        "2024-05-01T14:00:00+02:00",
        datetime(2024, 5, 1, 12, tzinfo=UTC),
        datetime(2024, 5, 1, 14, 0, 0, 999_999, tzinfo=PARIS),
        pd.Timestamp("2024-05-01T12:00:00.5Z"),
        pd.Timestamp("2024-05-01T14:00:00", tz="Europe/Paris"),
        np.datetime64("2024-05-01T12:00:00"),
        np.datetime64("2024-05-01T12:00:00.999999999"),
        np.datetime64("2024-05-01T12"),
    ],
    ids=repr,
)
def test_every_form_is_taken(value):
    assert as_time(value, "start") == NOON
    assert type(as_time(value, "start")) is int


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        (
            datetime(2024, 5, 1, 12),
            ValueError,
            r"start: 2024-05-01T12:00:00, a datetime without a time zone",
        ),
        (pd.Timestamp("2024-05-01T12:00:00"), ValueError, "without a time zone"),
        (pd.NaT, ValueError, "NaT"),
        (np.datetime64("NaT"), ValueError, "NaT"),
        (float("nan"), ValueError, "nan"),
        (float("inf"), ValueError, "inf"),
        ("yesterday", ValueError, "yesterday"),
        ("2024-05-01T12:00:00", ValueError, "zone"),
        (-1, ValueError, "from 1970 to 9999"),
        (NOON * 1000, ValueError, "milliseconds"),
        (date(2024, 5, 1), TypeError, "a day is not a moment"),
        (True, TypeError, "True"),
        (None, TypeError, "None"),
        ([NOON], TypeError, "a list"),
        (timedelta(hours=1), TypeError, "timedelta"),
    ],
    ids=repr,
)
def test_what_is_no_time_is_refused(value, kind, message):
    with pytest.raises(kind, match=message) as caught:
        as_time(value, "start")
    assert isinstance(caught.value, UsageError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (90, 90),
        (90.9, 90),
        ("15m", 900),
        (timedelta(minutes=2), 120),
        (pd.Timedelta("1h"), 3600),
        (np.timedelta64(2, "m"), 120),
        (np.int32(5), 5),
        (0, 0),
    ],
    ids=repr,
)
def test_durations(value, seconds):
    assert as_duration(value, "lateness") == seconds


@pytest.mark.parametrize(
    "value",
    [
        -1,
        "soon",
        timedelta(seconds=-1),
        np.timedelta64("NaT"),
        pd.NaT,
        None,
        True,
        [],
        datetime(2024, 1, 1, tzinfo=UTC),
    ],
    ids=repr,
)
def test_what_is_no_duration_is_refused(value):
    with pytest.raises(TidingsError, match="lateness"):
        as_duration(value, "lateness")


def test_intervals():
    assert (as_interval(None), as_interval("document"), as_interval(0), as_interval("1h")) == (0, 0, 0, 3600)
    with pytest.raises(TidingsError, match="at least 1s"):
        as_interval("0s")


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        (None, True),
        (pd.NA, True),
        (pd.NaT, True),
        (np.datetime64("NaT"), True),
        (float("nan"), True),
        (np.float64("nan"), True),
        (0, False),
        ("", False),
        ([], False),
        (np.datetime64("2024-01-01"), False),
    ],
    ids=repr,
)
def test_empty_cells(value, missing):
    assert is_missing(value) is missing


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
