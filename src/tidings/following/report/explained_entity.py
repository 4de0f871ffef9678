"""Why an entity stands where it does on a day, for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.core import clean
from tidings.following.report.entities import TYPE_NAMES
from tidings.following.report.known import outlet_name

if TYPE_CHECKING:
    from rich.console import Console

    from tidings.following.entities.ranking.explained import ExplainedEntity

__all__ = ["print_explained_entity"]

_MOST_SENTENCES = 5
_BAR = 10


def print_explained_entity(console: Console, explained: ExplainedEntity, most: int) -> None:
    """Print the entity's place, what adds most to its score or takes most from it, and what is said of it."""
    from rich.table import Table
    from rich.text import Text

    kind = TYPE_NAMES.get(explained.type, "")
    head = Text(clean(explained.name), "bold")
    head.append(f"{f', {kind},' if kind else ''} on {explained.date}: ", "")
    head.append(f"place {explained.place} of {explained.entities}", "bold")
    console.print(head)
    facts = [f"{explained.documents} document{'s' if explained.documents != 1 else ''} read"]
    others = [clean(label) for label in explained.labels if label != explained.name]
    facts += [f"also called {', '.join(others[:6])}"] if others else []
    facts += (
        ["the query names it, so it is left out unless query_names=yes; its place is the one among all"]
        if explained.is_asked_for and not explained.is_given
        else []
    )
    console.print(Text("; ".join(facts), "dim"))
    if explained.contributions:
        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column("feature")
        table.add_column("side")
        table.add_column("value", justify="right")
        table.add_column("place in the day", justify="right")
        table.add_column("adds", justify="right")
        table.add_column("")
        largest = max(abs(one.amount) for one in explained.contributions) or 1.0
        for one in explained.contributions[:most]:
            length = max(1, round(_BAR * abs(one.amount) / largest)) if one.amount else 0
            bar = Text(("+" if one.amount > 0 else "-") * length, "green" if one.amount > 0 else "red")
            table.add_row(
                one.feature, one.side, f"{one.value:.3g}", f"{one.place:.2f}", f"{one.amount:+.3f}", bar
            )
        console.print(table)
        left = len(explained.contributions) - most
        if left > 0:
            rest = sum(one.amount for one in explained.contributions[most:])
            console.print(Text(f"{left} more features add {rest:+.3f} together", "dim"))
    for sentence in explained.sentences[:_MOST_SENTENCES]:
        said = Text(f"  {clean(sentence.text)}")
        outlet = outlet_name(sentence.source, sentence.url)
        if outlet:
            said.append(f"  {outlet}", "cyan")
        console.print(said, highlight=False)
    more = len(explained.sentences) - _MOST_SENTENCES
    if more > 0:
        console.print(Text(f"  … and {more} more sentences", "dim"))
