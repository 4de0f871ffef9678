"""What is new of several events, as one page or as plain text: for digests that are sent or kept as files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote

from msgspec import Struct

from tidings.core import Clock, EntityRanking, Output, Update, ValueUpdate, clean, safe_url
from tidings.evaluation import page_environment, page_policy, page_style
from tidings.following import CurrentValue, current_values

__all__ = ["NewsOfEvent", "news_of", "render_news", "text_of_news"]

_MOST_UPDATES = 40
_TOP = 5


class NewsOfEvent(Struct, frozen=True, kw_only=True):
    """What is new of one event.

    `updates` are the last ones with their numbers, oldest first, and `earlier` how many came before them; `values` what
    changed, and `entities` those of the last ranking that were not named before.
    """

    event_id: str
    title: str
    updates: tuple[tuple[int, Update], ...]
    earlier: int = 0
    values: tuple[CurrentValue, ...] = ()
    entities: tuple[str, ...] = ()

    @property
    def figures(self) -> str:
        """The values in a line.

        >>> NewsOfEvent(event_id="storm", title="", updates=()).figures
        ''
        """
        parts = [one.words + (f", before {one.earlier}" if one.earlier else "") for one in self.values]
        return "; ".join(parts)


def news_of(numbered: Iterable[tuple[int, Output]], titles: Mapping[str, str]) -> list[NewsOfEvent]:
    """Outputs by events, those with most updates first.

    >>> update = Update("storm", "d1", 0, 60, 0.7, "A storm.")
    >>> [one.title for one in news_of([(7, update)], {"storm": "The storm"})]
    ['The storm']
    """
    outputs: dict[str, list[tuple[int, Output]]] = {}
    for seq, output in numbered:
        outputs.setdefault(output.event_id, []).append((seq, output))
    news = []
    for event_id, of_event in outputs.items():
        updates = tuple((seq, one) for seq, one in of_event if isinstance(one, Update))
        rankings = [one for _, one in of_event if isinstance(one, EntityRanking)]
        last = rankings[-1] if rankings else EntityRanking(event_id, "", ())
        fresh = [name for name, new in zip(last.entities, last.new, strict=False) if new]
        news.append(
            NewsOfEvent(
                event_id=event_id,
                title=clean(titles.get(event_id) or event_id),
                updates=updates[-_MOST_UPDATES:],
                earlier=max(len(updates) - _MOST_UPDATES, 0),
                values=tuple(current_values(one for _, one in of_event if isinstance(one, ValueUpdate))),
                entities=tuple(map(clean, fresh[:_TOP])),
            )
        )
    return sorted(news, key=lambda one: (-len(one.updates) - one.earlier, one.event_id))


def _link(public_url: str, event_id: str, seq: int = 0) -> str:
    if not public_url:
        return ""
    return f"{public_url.rstrip('/')}/events/{quote(event_id, safe='')}" + (f"/updates/{seq}" if seq else "")


def render_news(news: list[NewsOfEvent], *, title: str, public_url: str = "") -> str:
    """The whole page as text; the same news give the same text."""
    from markupsafe import Markup

    from tidings import __version__

    style = page_style("digest.css")
    environment = page_environment()
    environment.filters["moment"] = Clock().moment
    return environment.get_template("news.html.j2").render(
        news=news,
        title=title,
        link=lambda event_id, seq=0: safe_url(_link(public_url, event_id, seq)),
        style=Markup(style),  # noqa: S704 our own file
        policy=page_policy(style),
        version=__version__,
        count=sum(len(one.updates) + one.earlier for one in news),
    )


def text_of_news(news: list[NewsOfEvent], *, title: str, public_url: str = "") -> str:
    """The same as plain text.

    >>> update = Update("storm", "d1", 0, 60, 0.7, "A storm.", source="Wire")
    >>> print(text_of_news(news_of([(7, update)], {"storm": "The storm"}), title="News"))
    News
    <BLANKLINE>
    The storm
    <BLANKLINE>
    - A storm.
      1 Jan 1970 00:01 UTC · Wire
    """
    clock, lines = Clock(), [title]
    for one in news:
        lines += ["", one.title]
        if link := _link(public_url, one.event_id):
            lines.append(link)
        if one.figures:
            lines += ["", one.figures]
        if one.entities:
            lines += ["", f"New: {', '.join(one.entities)}"]
        if one.earlier:
            lines += ["", f"{one.earlier} earlier updates, and then:"]
        for _, update in one.updates:
            source = f" · {clean(update.source)}" if update.source else ""
            lines += [
                "",
                f"- {' '.join(clean(update.text).split())}",
                f"  {clock.moment(update.time)} UTC{source}",
            ]
            if url := safe_url(update.url):
                lines.append(f"  {url}")
    return "\n".join(lines)
