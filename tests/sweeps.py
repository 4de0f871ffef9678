"""One test for many small cases: quicker than a test for each, and it still names every case that fails.

Long tables of cases stand beside their test, in a JSON file of its name.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache, wraps
from pathlib import Path
from typing import Any

import pytest

__all__ = ["cases", "every"]


def cases(test_file: str, table: str, *, lists: bool = False) -> Any:
    """A table of the JSON file beside a test file: a list, or a dict.

    Its rows are tuples; arrays within a row are tuples too, or lists where a test wants such.
    """
    found = _tables(Path(test_file).with_suffix(".json"))[table]
    inner = (lambda value: value) if lists else _as_tuple
    if isinstance(found, dict):
        return {key: inner(value) for key, value in deepcopy(found).items()}
    return [tuple(map(inner, row)) if isinstance(row, list) else inner(row) for row in deepcopy(found)]


@cache
def _tables(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _as_tuple(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_tuple(inner) for key, inner in value.items()}
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def every(names: str, cases: Iterable[Any], ids: Callable[..., str] | None = None) -> Callable[..., Any]:
    """Like `pytest.mark.parametrize`, in one test that goes on after a failure and reports all of them.

    Each case has an empty `tmp_path` of its own, and what it patches with `monkeypatch` is undone after it. Where a
    case skips, the others run, and the test is reported as skipped, if none fails.
    """
    argument_names = [name.strip() for name in names.split(",")]
    listed = [case if len(argument_names) > 1 else (case,) for case in cases]
    assert listed, "no cases: this test would prove nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)
        kept = [one for name, one in signature.parameters.items() if name not in argument_names]

        @wraps(test)
        def sweep(*args: Any, **fixtures: Any) -> None:
            failures: list[BaseException] = []
            skips: list[str] = []
            for number, values in enumerate(listed):
                given = dict(zip(argument_names, values, strict=True))
                if "tmp_path" in fixtures:
                    given["tmp_path"] = fixtures["tmp_path"] / str(number)
                    given["tmp_path"].mkdir()
                with pytest.MonkeyPatch.context() as patch:
                    if "monkeypatch" in fixtures:
                        given["monkeypatch"] = patch
                    try:
                        test(*args, **(fixtures | given))
                    except pytest.skip.Exception as skip:
                        skips.append(str(skip))
                    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
                        named = ids(*values) if ids else ", ".join(repr(value)[:200] for value in values)
                        error.add_note(f"case {number}: {named}")
                        failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(listed)} cases fail", failures)
            if skips:
                pytest.skip(f"{len(skips)} of {len(listed)} cases: {skips[0]}")

        sweep.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return sweep

    return decorate
