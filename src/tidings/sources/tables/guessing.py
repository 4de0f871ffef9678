"""Which column of a table holds what: as a person says, else by the columns' names, else by a look at their cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from tidings.core import FormatError, Item, ReadingOptions, UsageError
from tidings.sources.tables.cells import (
    is_clock,
    is_date,
    is_serial,
    joined_time,
    line_of,
    plain,
    sentences_of,
    stated_time,
    text_of,
)
from tidings.sources.tables.fields import FIELDS, ranks_of, simple, words_of

SAMPLE = 200
"""Rows that are looked at before columns are chosen."""


_AROUND = re.compile(
    r"^(?:(?:data|_source|source_data|attributes|node|document|doc|article|item|post|record|properties|value)\.)+"
    r"|^(?:dc|dcterms|rss|atom|og|article):"
    r"|\ \(\d+\)$",
    re.IGNORECASE,
)
"""What stands around the name of a field: an object that holds the whole document, or the number of its repetition."""


class Columns(Struct, frozen=True, kw_only=True):
    """The columns that were taken, by their places.

    Args:
        names: of all columns of the table.
        places: of each field; of `text` also those that stand in where the first is empty.
        clock: the place of a time of day beside a date; None where there is none.
        serial: whether times are days as Excel counts them.
    """

    names: tuple[str, ...]
    places: dict[str, tuple[int, ...]]
    clock: int | None = None
    serial: bool = False

    def place(self, field: str) -> int | None:
        """The place of a field; None where no column holds it."""
        return next(iter(self.places.get(field, ())), None)

    @property
    def needed(self) -> list[int]:
        """The places that are read, in their order."""
        places = {place for several in self.places.values() for place in several}
        return sorted(places if self.clock is None else places | {self.clock})

    def describe(self) -> str:
        """The columns in words.

        >>> Columns(names=("date", "body"), places={"time": (0,), "text": (1,)}).describe()
        'columns taken: time=date, text=body'
        """
        parts = []
        for field in (*FIELDS, "updated"):
            taken = [self.names[place] for place in self.places.get(field, ())]
            if field == "time" and self.clock is not None:
                taken.append(self.names[self.clock])
            if taken:
                joint = " and " if field == "time" else " or "
                parts.append(f"{field}={joint.join(name[:60] for name in taken)}")
        return f"columns taken: {', '.join(parts)}"


def choose_columns(
    names: Sequence[str],
    sample: Sequence[Sequence[Any]],
    options: ReadingOptions,
    table: str,
    *,
    timeless: bool = False,
) -> Columns:
    """The columns of a table, from its header and its first rows.

    Args:
        names: of the columns.
        sample: the first rows; each holds a cell for every column.
        options: what a person has said of columns.
        table: its name, for messages.
        timeless: whether a table without a column of dates will do.

    Raises:
        UsageError: a column that was named is not there.
        FormatError: no column holds dates, or none text.

    >>> rows = [["17.02.2026 08:30", "Ferry burns", "A ferry burns off Nador.", "https://a.example/1"]]
    >>> choose_columns(["Datum", "x", "Inhalt", "y"], rows, ReadingOptions(), "news.csv").describe()
    'columns taken: time=Datum, title=x, text=Inhalt, url=y'
    """
    return _Choice(list(names), sample, options, table).columns(timeless)


class _Looks:
    # What the cells of one column look like.

    def __init__(self, cells: list[Any]) -> None:
        self.cells = [cell for cell in cells if (cell.strip() if isinstance(cell, str) else text_of(cell))]
        self.texts = [text_of(cell) for cell in self.cells]

    def share(self, test: Callable[[Any], bool]) -> float:
        return sum(map(test, self.cells)) / len(self.cells) if self.cells else 0.0

    @property
    def length(self) -> float:
        return sum(map(len, self.texts)) / len(self.texts) if self.texts else 0.0

    @property
    def dates(self) -> float:
        return self.share(is_date)

    @property
    def words(self) -> float:
        # Of several words, or in a script that sets no blanks between them.
        return self.share(
            lambda cell: len(text_of(cell).split()) > 1 or any(c > "\u0e00" for c in text_of(cell))
        )

    @property
    def distinct(self) -> float:
        return len(set(self.texts)) / len(self.texts) if self.texts else 0.0

    @property
    def urls(self) -> float:
        return sum(text.startswith(("http://", "https://", "www.")) for text in self.texts) / max(
            1, len(self.texts)
        )


class _Choice:
    def __init__(
        self, names: list[str], sample: Sequence[Sequence[Any]], options: ReadingOptions, table: str
    ) -> None:
        self.names, self.sample, self.options, self.table = names, sample, options, table
        self.taken: dict[str, tuple[int, ...]] = {}
        self.clock: int | None = None
        self._looks: dict[int, _Looks] = {}
        self._bare = bare = [_AROUND.sub("", name) for name in names]
        self._full = [simple(name) for name in bare]
        self._last = [simple(name.rpartition(".")[2]) for name in bare]

    def looks(self, place: int) -> _Looks:
        if place not in self._looks:
            self._looks[place] = _Looks([row[place] for row in self.sample if place < len(row)])
        return self._looks[place]

    def columns(self, timeless: bool) -> Columns:
        for field, name in self.options.columns:
            self.taken[field] = (self._find_column(field, name),)
        self._take("url", lambda looks: looks.urls >= 0.5)
        self._take_time()
        self._take("title", lambda looks: bool(looks.cells) and looks.urls < 0.5)
        self._take_text()
        if "title" not in self.taken:
            self._title_by_looks()
        self._take("id", lambda looks: looks.distinct >= 0.9 and looks.length <= 200)
        self._take("outlet", lambda looks: bool(looks.cells) and looks.length <= 200)
        self._take("language", lambda looks: bool(looks.cells) and looks.length <= 20)
        self._take("updated", lambda looks: looks.dates >= 0.5)
        for found, expected, field in (
            ("time" in self.taken or timeless, "dates", "time"),
            ("text" in self.taken or "title" in self.taken, "text", "text"),
        ):
            if not found:
                raise FormatError.of(
                    self.table,
                    0,
                    f"no column of {expected} among {words_of(self.names)}",
                    f"one with {expected}",
                    f"say which with --columns {field}=COLUMN",
                )
        time = self.taken.get("time")
        serial = time is not None and self._is_excels(self.looks(time[0]))
        return Columns(names=tuple(self.names), places=self.taken, clock=self.clock, serial=serial)

    def _find_column(self, field: str, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        alike = [place for place, full in enumerate(self._full) if full == simple(name)]
        if len(alike) == 1:
            return alike[0]
        if name.isascii() and name.isdigit() and len(name) < 8 and 1 <= int(name) <= len(self.names):
            return int(name) - 1
        raise UsageError(
            f"{self.table}: no column {name[:60]!r} for {field} (expected one of {words_of(self.names, 30)}); "
            "correct --columns"
        )

    def _free_columns(self) -> list[int]:
        used = {place for places in self.taken.values() for place in places} | {self.clock}
        return [place for place in range(len(self.names)) if place not in used]

    def _columns_by_name(self, field: str) -> list[int]:
        """The free columns with a name of the field, the likeliest first."""
        ranks = ranks_of(field)
        ranked = []
        for place in self._free_columns():
            name = self._bare[place]
            rank = ranks.get(self._full[place])
            depth = name.count(".")
            # The id or the name of a part (of a source, an author) is not the document's own.
            if rank is None and depth and field != "id" and not self._is_of_a_part(name):
                rank = ranks.get(self._last[place])
            if rank is not None:
                ranked.append((depth, rank, place))
        return [place for _, _, place in sorted(ranked)]

    def _is_of_a_part(self, name: str) -> bool:
        parents = {simple(parent) for parent in name.split(".")[:-1]}
        return not parents.isdisjoint(ranks_of("part"))

    def _take(self, field: str, suits: Callable[[_Looks], bool]) -> None:
        if field not in self.taken:
            for place in self._columns_by_name(field):
                if suits(self.looks(place)):
                    self.taken[field] = (place,)
                    return
            self._by_looks(field)

    def _by_looks(self, field: str) -> None:
        if field == "url":
            place = next(
                (column for column in self._columns_without_name() if self.looks(column).urls >= 0.8), None
            )
        elif field == "outlet":
            place = next(
                (
                    column
                    for column in self._free_columns()
                    if self._full[column] in ranks_of("outlet of a part")
                ),
                None,
            )
        else:
            place = None
        if place is not None:
            self.taken[field] = (place,)

    def _title_by_looks(self) -> None:
        text = self.taken.get("text")
        texts = [
            column
            for column in self._columns_without_name()
            if self._is_text(column) and self.looks(column).length <= 250
        ]
        if text is not None and texts:
            title = max(texts, key=lambda column: self.looks(column).length)
            if self.looks(title).length < self.looks(text[0]).length:
                self.taken["title"] = (title,)

    def _columns_without_name(self) -> list[int]:
        """The free columns whose names say nothing else."""
        named = {name for kind in ("never", "short", "text", "outlet") for name in ranks_of(kind)}
        return [place for place in self._free_columns() if self._last[place] not in named][:1000]

    def _is_text(self, place: int) -> bool:
        looks = self.looks(place)
        return looks.words >= 0.5 and looks.dates < 0.5 and looks.urls < 0.5

    def _take_time(self) -> None:
        if "time" not in self.taken:
            named = [place for place in self._columns_by_name("time") if self.looks(place).cells]
            good = [place for place in named if self._is_time(place)]
            others = (
                [column for column in self._columns_without_name() if self.looks(column).dates >= 0.8]
                if not good
                else []
            )
            chosen = next(iter(good or others or named), None)
            if chosen is None:
                return
            self.taken["time"] = (chosen,)
        looks = self.looks(self.taken["time"][0])
        if not looks.share(lambda cell: ":" in text_of(cell)) and not looks.share(is_serial):
            clocks = (place for place in self._free_columns() if self.looks(place).share(is_clock) >= 0.8)
            self.clock = next(clocks, None)

    def _is_time(self, place: int) -> bool:
        looks = self.looks(place)
        return looks.dates >= 0.5 or self._is_excels(looks)

    @staticmethod
    def _is_excels(looks: _Looks) -> bool:
        # Days as Excel counts them, alone or among dates that it has left as they were written.
        return (
            looks.share(is_serial) > 0 and looks.share(lambda cell: is_serial(cell) or is_date(cell)) >= 0.8
        )

    def _take_text(self) -> None:
        if "text" in self.taken:
            return
        full = [
            column
            for column in self._columns_by_name("text")
            if self.looks(column).cells and self.looks(column).urls < 0.5
        ]
        # The usual text first; but where it is empty more often than not, or is a number, it comes last.
        full.sort(
            key=lambda column: (
                len(self.looks(column).cells) * 2 < len(self.sample) or not self._is_text(column)
            )
        )
        short = [column for column in self._columns_by_name("short") if self.looks(column).cells]
        if not full and not short:
            texts = [column for column in self._columns_without_name() if self._is_text(column)]
            full = sorted(texts, key=lambda column: -self.looks(column).length)[:1]
        if full or short:
            self.taken["text"] = tuple(dict.fromkeys([*full, *short]))[:4]


_BEFORE_OUTLET = re.compile(r"\s+[-–—|]\s+(?:the\s+)?\Z", re.IGNORECASE)
_CUT_OFF = re.compile(r"\s*\[\+\d+ chars\]\s*$")  # as NewsAPI ends a text that goes on elsewhere


def items_of(
    rows: Iterable[tuple[int, Sequence[Any]]], columns: Columns, name: str, file_time: int | None = None
) -> Iterator[Item]:
    """The items of rows, each with its line or number; a row without anything is passed over.

    Args:
        rows: each with a cell for every column.
        columns: which of them hold what.
        name: of the table, for messages.
        file_time: when its file was changed.
    """
    time, title, url = columns.place("time"), columns.place("title"), columns.place("url")
    key, outlet, language = columns.place("id"), columns.place("outlet"), columns.place("language")
    updated, clock, serial = columns.place("updated"), columns.clock, columns.serial
    texts = columns.places.get("text", ())
    cut = bool(texts) and simple(columns.names[texts[0]].rpartition(".")[2]).endswith("sentences")

    for number, row in rows:
        text = ""
        sentences = sentences_of(row[texts[0]]) if cut else ()
        if not sentences:
            for place in texts:
                if text := plain(text_of(row[place])):
                    break
            if text.endswith("chars]"):
                text = _CUT_OFF.sub("", text)
        if time is None:
            published = None
        elif clock is None:
            published = stated_time(row[time], serial)
        else:
            published = joined_time(row[time], row[clock])
        headline = "" if title is None else line_of(text_of(row[title]))
        if not (text or headline or sentences) and published is None:
            continue
        source = "" if outlet is None else line_of(text_of(row[outlet]))
        yield Item(
            origin=f"{name}:{number}",
            id="" if key is None else text_of(row[key]).strip(),
            title=_without_outlet(headline, source),
            text=text,
            sentences=sentences,
            url="" if url is None else text_of(row[url]).strip(),
            source=source,
            language="" if language is None else text_of(row[language]).strip(),
            published=published,
            updated=None if updated is None else stated_time(row[updated], serial),
            file_time=file_time,
        )


def _without_outlet(title: str, outlet: str) -> str:
    # "Ferry burns - The Wire", as news interfaces and collections of articles have it.
    if not outlet or not title.casefold().endswith(outlet.casefold()):
        return title
    match = _BEFORE_OUTLET.search(title[: len(title) - len(outlet)])
    return title[: match.start()] if match and match.start() > 0 else title
