"""Print what two readings of updates drawn at random say, the names of their systems hidden.

A language model read (2026-11-22).

    python scripts/count_readings.py

`labels/updates/readings.tsv` says of each item which system emitted it, of which stream, and the four answers of each
reading, y or n: a fact about this event? of that day (or the day before), not background? can it be understood alone?
new, beside the earlier update of the same run that is most like it?
"""

from __future__ import annotations

import csv
from pathlib import Path

from frame import heading

READINGS = Path(__file__).parents[1] / "labels" / "updates" / "readings.tsv"
QUESTIONS = ("event", "day", "alone", "new", "all four")


def is_yes(answers: str, question: int) -> bool:
    """Whether a reading's answers say yes to a question, the last of which is all of them."""
    return answers == "yyyy" if question == 4 else answers[question] == "y"


def main() -> None:
    """Shares of yes for each system, and the agreement of the readings."""
    with READINGS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    print(heading(f"system | updates read | {' | '.join(QUESTIONS)} | by reading"))
    for system in dict.fromkeys(row["system"] for row in rows):
        items = [(row["first"], row["second"]) for row in rows if row["system"] == system]
        means = [
            [sum(is_yes(item[reader], question) for item in items) / len(items) for reader in (0, 1)]
            for question in range(5)
        ]
        cells = " | ".join(f"{sum(pair) / 2:.2f}" for pair in means)
        print(f"| `{system}` | {len(items)} | {cells} | {means[-1][0]:.2f} {means[-1][1]:.2f} |")
    for question, name in enumerate(QUESTIONS):
        pairs = [(is_yes(row["first"], question), is_yes(row["second"], question)) for row in rows]
        same = sum(first == second for first, second in pairs) / len(pairs)
        shares = [sum(pair[reader] for pair in pairs) / len(pairs) for reader in (0, 1)]
        by_chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
        print(f"{name}: the same answer in {same:.3f}, κ {(same - by_chance) / (1 - by_chance):.3f}")


if __name__ == "__main__":
    main()
