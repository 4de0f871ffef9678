"""Digests of code: what a system runs is in them, what it does not run is not."""

from __future__ import annotations

import pytest

from tidings.experiments import sources
from tidings.experiments.sources import code_digest

FILES = {
    "plugin": "from tidings.systems.own import Own\nimport numpy",
    "tidings.systems.own": "from tidings.text.words import split\nfrom tidings.formats import read_stream",
    "tidings.text.words": "def split():\n    from tidings.text import late",
    "tidings.text.late": "from .words import split",
    "tidings.text": "",
    "tidings.systems.registry": "ALL = 1",
    "tidings.systems.other": "from tidings.systems.registry import ALL",
    "tidings.formats": "",
    "numpy": "",
}


@pytest.fixture
def digest(tmp_path, monkeypatch):
    """The digest of a module when some files have other contents."""

    def digest(module: str, **changed: str) -> str:
        for name, text in FILES.items():
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            home = "__init__.py" if name == "tidings.text" else "module.py"
            (folder / home).write_text(changed.get(name.replace(".", "_"), text))
        code_digest.cache_clear()
        return code_digest(module)

    def place(name: str):
        return next(iter((tmp_path / name).glob("*.py")), None) if name in FILES else None

    monkeypatch.setattr(sources, "_place", place)
    yield digest
    code_digest.cache_clear()


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("tidings_systems_own", True),
        ("tidings_text_words", True),
        ("tidings_text_late", True),  # imported within a function, two steps away
        ("tidings_text", True),
        ("tidings_systems_other", False),
        ("tidings_formats", False),  # reading is the same for all systems
        ("numpy", False),
    ],
)
@pytest.mark.parametrize("module", ["tidings.systems.own", "plugin"])
def test_what_is_imported_counts(digest, module, changed, counts) -> None:
    before = digest(module)
    assert (digest(module, **{changed: FILES[changed.replace("_", ".")] + "\n# changed"}) != before) == counts
    assert digest(module) == before


def test_a_list_of_systems_does_not_count(digest) -> None:
    before = digest("tidings.systems.other")
    assert digest("tidings.systems.other", tidings_systems_registry="ALL = 2") == before


def test_real_systems_count_what_they_run() -> None:
    code_digest.cache_clear()
    names = ("cosine", "first", "lexrank")
    assert len({code_digest(f"tidings.systems.{name}") for name in names}) == 3
