"""What the scripts share: their command line, tables in Markdown, intervals, the stories of Timeline17, model files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import digest_weights
import numpy as np

from tidings.core.files.writing import write_atomically
from tidings.core.models.files import Model, write_model_bytes
from tidings.core.records import Document
from tidings.core.text.sentences import cut

WEIGHTS = Path(__file__).parents[1] / "src" / "tidings" / "core" / "models" / "weights"
STORIES = {
    "bpoil_bbc": "bp oil spill gulf mexico",
    "haiti_bbc": "haiti earthquake",
    "H1N1_bbc": "h1n1 swine flu",
    "MJ_bbc": "michael jackson death doctor conrad murray trial",
    "SyrianCrisis_bbc": "syria crisis assad",
}
"""Stories of Timeline17 with what they are followed by."""

OUTLETS = {
    "LibyaWar_cnn": "libya war gadhafi",
    "bpoil_foxnews": "bp oil spill gulf mexico",
    "H1N1_guardian": "h1n1 swine flu",
}
"""Stories of Timeline17 as other outlets than the BBC tell them."""


def parser(about: str | None) -> argparse.ArgumentParser:
    """A parser of a command line, with the script's docstring for its help."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def heading(titles: str, left: int | None = None) -> str:
    """The first two lines of a table; columns from the number `left` on hold figures.

    >>> print(heading("what | figure", 1))
    | what | figure |
    |---|---:|
    """
    count = titles.count("|") + 1
    marks = ["---" if left is None or place < left else "---:" for place in range(count)]
    return f"| {titles} |\n|{'|'.join(marks)}|"


def interval(differences: Sequence[float], rounds: int = 10_000) -> tuple[float, float]:
    """95 % of the means of so many values drawn again."""
    values = np.array(differences)
    means = values[np.random.default_rng(0).integers(0, len(values), (rounds, len(values)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def read_articles(folder: Path) -> list[Document]:
    """The articles of a story, cut into sentences, in the order of time."""
    documents = map(cut, digest_weights.read_articles(folder / "articles.jsonl.gz"))
    return sorted(documents, key=lambda document: (document.published_time, document.id))


def today() -> str:
    """The day, as model cards say it."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def write_model(path: Path, model: Model) -> str:
    """Write a model file; gives its name and size."""
    data = write_model_bytes(model)
    with write_atomically(path) as file:
        file.write(data)
    return f"{path}: {len(data):,} bytes"
