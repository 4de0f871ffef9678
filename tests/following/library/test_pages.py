"""The pages for programs: each block runs, and prints what stands under it."""

from __future__ import annotations

import importlib.metadata
import tomllib

import pytest

from tests.conftest import ROOT
from tests.following.library.pages import blocks_of, run_blocks
from tests.sweeps import cases, every
from tidings.following.systems import registry
from tidings.following.systems.registry import make

WRITING = ROOT / "docs" / "following" / "writing-a-system.md"


@pytest.fixture(autouse=True)
def _forgotten_afterwards(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    registry._registered.clear()
    registry._available.cache_clear()


@every(
    "page, heading",
    cases(__file__, "every block runs"),
)
def test_every_block_runs(page, heading):
    blocks = blocks_of(ROOT / page, heading)
    assert len(blocks) > 1
    assert any(block.printed for block in blocks)
    run_blocks(ROOT / page, blocks)


def test_a_wrong_output_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n")
    with pytest.raises(AssertionError, match=r"page\.md:2"):
        run_blocks(page, blocks_of(page))


def test_the_package_of_the_page_is_found(tmp_path, monkeypatch):
    """Its entry point is of the group that the registry reads, and its class needs no decorator."""
    text = WRITING.read_text(encoding="utf-8")
    project = tomllib.loads(text.split("```toml\n")[1].split("```")[0])
    ((name, value),) = project["project"]["entry-points"][registry.GROUP].items()
    code = blocks_of(WRITING)[0].code
    assert '@tidings.register_system("numbers")\n' in code
    code = code.replace('@tidings.register_system("numbers")\n', "")
    code = code.replace("    source: ClassVar", '    name: ClassVar[str] = "numbers"\n    source: ClassVar')
    (tmp_path / f"{value.partition(':')[0]}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    point = importlib.metadata.EntryPoint(name, value, registry.GROUP)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point])
    registry._available.cache_clear()
    assert make("numbers:max_kept=5").max_kept == 5
