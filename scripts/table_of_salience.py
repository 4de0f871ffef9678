"""Print how well salience features alone order a document's entities by what people said of their salience.

python scripts/table_of_salience.py --data ../shared/data

GUM: in how many of five summaries an entity is; Wikinews: grades of a crowd. Learned on one and measured on the other,
and within each by five-fold cross-validation. Beside each figure of the learned model stands the p-value of a paired
randomization test over documents against frequency and against first position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from frame import parser as command_line
from salience_learning import (
    MEASURES,
    GradedRows,
    cross_validated,
    learn_salience,
    measured,
    read_graded_gum,
    read_graded_wikinews,
    rows_of,
)

from tidings.analysis.names.weights import shipped_recogniser
from tidings.evaluation.measures.significance import randomization_test

Figures = list[list[float | None]]


def figures(scores: Sequence, documents: Sequence[GradedRows]) -> Figures:
    return measured(scores, [rows.grades for rows in documents], [rows.salient for rows in documents])


def means(own: Figures) -> str:
    return " | ".join(f"{mean(values):.3f}" for values in own)


def mean(values: Sequence[float | None]) -> float:
    present = [value for value in values if value is not None]
    return sum(present) / len(present)


def marked(own: Figures, rivals: Sequence[list[tuple[bool, float]]]) -> str:
    """The means, bold where they are above all rivals with p < .01."""
    cells = [f"{mean(values):.3f}" for values in own]
    return " | ".join(
        f"**{cell}**" if all(better and p < 0.01 for better, p in against) else cell
        for cell, against in zip(cells, zip(*rivals, strict=True), strict=True)
    )


def compared(own: Figures, other: Figures) -> list[tuple[bool, float]]:
    """For each measure whether it is better, and p."""
    shown = []
    for ours, theirs in zip(own, other, strict=True):
        differences = [a - b for a, b in zip(ours, theirs, strict=True) if a is not None and b is not None]
        shown.append((sum(differences) > 0, randomization_test(differences).p))
    return shown


def table(name: str, documents: list[GradedRows], other: str, strangers: list[GradedRows]) -> Iterator[str]:
    frequency = figures([rows.mentions for rows in documents], documents)
    first = figures([rows.first for rows in documents], documents)
    yield f"| {name}: frequency | {means(frequency)} |"
    yield f"| {name}: first position | {means(first)} |"
    model = learn_salience(strangers)
    ways = {
        f"learned on {other}": [model.scores(rows) for rows in documents],
        "cross-validated": cross_validated(documents),
    }
    for way, scores in ways.items():
        own = figures(scores, documents)
        rivals = {"frequency": compared(own, frequency), "first position": compared(own, first)}
        yield f"| {name}: {way} | {marked(own, list(rivals.values()))} |"
        for rival, against in rivals.items():
            cells = " | ".join(f"{'+' if better else '-'} {p:.4f}" for better, p in against)
            yield f"| p against {rival} | {cells} |"


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    gum = [rows_of(document) for document in read_graded_gum(data / "ner" / "gum")]
    wikinews = [rows_of(one) for one in read_graded_wikinews(data / "salience", shipped_recogniser())]
    for name, documents in (("GUM", gum), ("Wikinews", wikinews)):
        entities = sum(len(rows.grades) for rows in documents)
        salient = sum(int(rows.salient.sum()) for rows in documents)
        print(f"{name}: {len(documents)} documents, {entities:,} entities, {salient:,} salient")
    print(
        "\n| | Kendall's tau-b | Spearman's rho | "
        + " | ".join(MEASURES[2:])
        + " |\n|---|"
        + "---|" * len(MEASURES)
    )
    for line in (*table("GUM", gum, "Wikinews", wikinews), *table("Wikinews", wikinews, "GUM", gum)):
        print(line)


if __name__ == "__main__":
    main()
