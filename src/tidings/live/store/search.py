"""Searching the updates of a run: an index beside them, made when it is first asked and caught up at each search.

The index is derived: it holds words and numbers alone, stands outside of the schema's version, and is made again where
it is not that of the run, or is damaged. In SQLite it is a table of FTS5, in PostgreSQL a column `tsvector` under GIN.
Where neither can be had (a store that may only be read), the last updates are looked through one by one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, select, text

from tidings.core import LockedError, Store, StoreError, Update, outputs, runs
from tidings.live.store.outputs import LiveOutputs, NumberedOutput

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts that write words together: of these each pair of letters is a word."""
_RUNS = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_VOICING = 8
"""The combining class of the voicing marks of kana, and of nothing else: か with one is が."""
_MOST_WORDS = 12
_LONGEST_QUERY = 300
_LONGEST_WORD = 60
_PARTS = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')


def fold_case(text: str) -> str:
    """A text without case and accents; the voicing marks of Japanese, which make another letter, stay.

    >>> fold_case("Córdoba Straße"), fold_case("ガス")
    ('cordoba strasse', 'ガス')
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = (char for char in apart if unicodedata.combining(char) in (0, _VOICING))
    return unicodedata.normalize("NFC", "".join(kept))


def search_words(text: str) -> list[str]:
    """The words of a text, in order.

    >>> search_words("Renfe's Alvia, 79 dead"), search_words("地震が")
    (['renfe', 's', 'alvia', '79', 'dead'], ['地震', '震が'])
    """
    words = []
    for word in _WORD.findall(fold_case(text)):
        for run in _RUNS.findall(word):
            if _IS_UNSPACED.match(run):
                words += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
            else:
                words.append(run[:_LONGEST_WORD])
    return words


class Query(Struct, frozen=True):
    """What is asked for: all these words (as beginnings), all these phrases, and none of those words."""

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases)

    def matches(self, text: str) -> bool:
        """Whether a text is what is asked for.

        >>> parse_query('"santiago station" derail -fire').matches("It derailed near Santiago station.")
        True
        """
        words = search_words(text)
        return (
            all(any(own.startswith(word) for own in words) for word in self.words)
            and all(_holds(words, phrase) for phrase in self.phrases)
            and not any(word in words for word in self.without)
        )


def parse_query(text: str) -> Query:
    """What someone typed: words, "phrases", and -words that must not be there; whatever it is, it is a query.

    >>> parse_query('Derailed "santiago station" -drill')
    Query(words=('derailed',), phrases=(('santiago', 'station'),), without=('drill',))
    >>> bool(parse_query('"" -x ((')), bool(parse_query(""))
    (False, False)
    """
    words: dict[str, None] = {}
    phrases: dict[tuple[str, ...], None] = {}
    without: dict[str, None] = {}
    for minus, phrase, word in _PARTS.findall(text[:_LONGEST_QUERY]):
        parts = tuple(search_words(phrase or word))[:_MOST_WORDS]
        if minus and len(parts) == 1:
            without[parts[0]] = None
        elif phrase and len(parts) > 1:
            phrases[parts] = None
        else:
            words.update(dict.fromkeys(parts))
    return Query(tuple(words)[:_MOST_WORDS], tuple(phrases)[:3], tuple(without)[:_MOST_WORDS])


def _holds(words: list[str], phrase: tuple[str, ...]) -> bool:
    size = len(phrase)
    return any(tuple(words[at : at + size]) == phrase for at in range(len(words) - size + 1))


_BATCH = 1000  # updates that one transaction indexes
_MOST_BATCHES = 100  # in one search; the next search goes on
_BITS = 40  # of an index row's number: the output's, below that of its run
_LARGEST = (1 << _BITS) - 1
_MOST_LOOKS = 10  # pages that one search reads; it then says from where to look further
_PATIENCE_S = 0.25  # that a search waits for others who write; then it reads what there is


class SearchPage(Struct, frozen=True):
    """What was found, the newest first.

    `older` is the number before which there may be more (None: no more). `is_complete` is false where updates that are
    there have not been looked at, for there are too many at once.
    """

    items: tuple[NumberedOutput, ...] = ()
    older: int | None = None
    is_complete: bool = True


class Search:
    """Searches the updates of one run of a store."""

    def __init__(self, store: Store, lists: LiveOutputs) -> None:
        self._store, self._lists = store, lists
        self._turns, self._is_mended = Lock(), False

    def find(
        self, words: str, *, event_id: str | None = None, before: int | None = None, limit: int = 30
    ) -> SearchPage:
        """The updates that hold these words, "phrases" and no -words, of one event or all; fails for no words."""
        query = parse_query(words)
        if not query:
            return SearchPage()
        before = None if before is None else min(before, _LARGEST)
        for _ in range(2):
            try:
                is_complete = self._catch_up()
                page = self._asked(query, event_id, before, limit, is_complete)
                if page is not None:
                    return page
                break
            except LockedError:
                break
            except StoreError:
                if not self._remove():
                    break
        return self._look_through(query, event_id, before, limit)

    def _remove(self) -> bool:
        """Take the index away, to make it again; once in the life of this process, and only where that can be done."""
        if self._is_mended:
            return False
        self._is_mended = True
        try:
            with self._store.writing(patience_s=_PATIENCE_S) as connection:
                for table in ("live_search", "live_search_state"):
                    connection.execute(text(f"DROP TABLE IF EXISTS {table}"))
        except StoreError:
            return False
        return True

    def _asked(
        self, query: Query, event_id: str | None, before: int | None, limit: int, is_complete: bool
    ) -> SearchPage | None:
        """What the index has; None where there is none of this run, and it could not be made."""
        found: list[NumberedOutput] = []
        for _ in range(_MOST_LOOKS):
            wanted = limit + 1
            with self._store.asking() as connection:
                run = self._run(connection)
                if run is not None and _done(connection, run) is None:
                    return None
                numbers = [] if run is None else _matches(connection, run.id, query, event_id, before, wanted)
            chosen = self._lists.chosen(outputs.c.seq.in_(numbers)) if numbers else []
            # The index knows words; phrases, and rows that are no longer what they were, only the text itself shows.
            found += [numbered for numbered in reversed(chosen) if _is_match(numbered, query, event_id)]
            if len(numbers) < wanted:
                return _page(found, limit, None, is_complete)
            before = numbers[-1]
            if len(found) > limit:
                return _page(found, limit, before, is_complete)
        return _page(found, limit, before, is_complete)

    def _look_through(self, query: Query, event_id: str | None, before: int | None, limit: int) -> SearchPage:
        found: list[NumberedOutput] = []
        for _ in range(_MOST_LOOKS):
            page = self._lists.latest(event_id=event_id, kinds=["update"], before=before)
            found += [numbered for numbered in page if _is_match(numbered, query, event_id)]
            if not page or len(found) > limit:
                return _page(found, limit, None, True)
            before = page[-1].seq
        return _page(found, limit, before, True)

    def _catch_up(self) -> bool:
        """Put what came since the last search into the index; whether all of it is there now.

        Whoever searches does not wait until others have written: then the index stays as it is.
        """
        if not self._turns.acquire(timeout=_PATIENCE_S):
            return False
        try:
            for _ in range(_MOST_BATCHES):
                with self._store.asking() as connection:
                    run = self._run(connection)
                    if run is None:
                        return True
                    done = _done(connection, run)
                after = 0 if done is None else done
                page = self._lists.after(after, limit=_BATCH)
                if not page and done is not None:
                    return True
                with self._store.writing(patience_s=_PATIENCE_S) as connection:
                    _prepare(connection)
                    if _done(connection, run) is None:
                        _begin(connection, run)
                        after = 0
                    if _done(connection, run) != after:
                        continue  # another process was quicker
                    _insert(
                        connection,
                        run.id,
                        [numbered for numbered in page if isinstance(numbered.output, Update)],
                    )
                    if page:
                        _note(connection, run, page[-1].seq)
                if len(page) < _BATCH:
                    return True
        except LockedError:
            pass
        finally:
            self._turns.release()
        return False

    def _run(self, connection: Connection) -> Any:
        query = select(runs.c.id, runs.c.created_time).where(runs.c.name == self._lists.run)
        return connection.execute(query).one_or_none()


def _page(found: Sequence[NumberedOutput], limit: int, before: int | None, is_complete: bool) -> SearchPage:
    items = tuple(found[:limit])
    older = items[-1].seq if len(found) > limit else before
    return SearchPage(items, older, is_complete)


def _is_match(numbered: NumberedOutput, query: Query, event_id: str | None) -> bool:
    output = numbered.output
    return (
        isinstance(output, Update) and event_id in (None, output.event_id) and query.matches(_text_of(output))
    )


def _text_of(update: Update) -> str:
    return " \n ".join((update.text, update.title, update.source))


def _event_word(event_id: str) -> str:
    # A word of its own for each event, which no text holds: words have no digits and letters in this order.
    return f"zz0event0{blake2b(event_id.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"


def _is_postgres(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def _prepare(connection: Connection) -> None:
    connection.execute(
        text(
            "CREATE TABLE IF NOT EXISTS live_search_state "
            "(run_id BIGINT PRIMARY KEY, created_time BIGINT NOT NULL, last_seq BIGINT NOT NULL)"
        )
    )
    if _is_postgres(connection):
        connection.execute(
            text(
                "CREATE TABLE IF NOT EXISTS live_search "
                "(run_id BIGINT, seq BIGINT, words TSVECTOR NOT NULL, PRIMARY KEY (run_id, seq))"
            )
        )
        connection.execute(
            text("CREATE INDEX IF NOT EXISTS live_search_words ON live_search USING GIN (words)")
        )
    else:
        connection.execute(
            text(
                "CREATE VIRTUAL TABLE IF NOT EXISTS live_search USING fts5("
                "words, content='', tokenize='unicode61 remove_diacritics 0')"
            )
        )


def _done(connection: Connection, run: Row[Any]) -> int | None:
    """The number up to which the index has this run; None where it has another one, or there is none."""
    if not _has_state(connection):
        return None
    query = text("SELECT created_time, last_seq FROM live_search_state WHERE run_id = :run")
    row = connection.execute(query, {"run": run.id}).one_or_none()
    return None if row is None or row[0] != run.created_time else int(row[1])


def _has_state(connection: Connection) -> bool:
    if _is_postgres(connection):
        return connection.execute(text("SELECT to_regclass('live_search_state')")).scalar() is not None
    query = text("SELECT 1 FROM sqlite_master WHERE name = 'live_search_state'")
    return connection.execute(query).first() is not None


def _begin(connection: Connection, run: Row[Any]) -> None:
    # Rows of an index without content cannot be taken out one by one: it is made again, for all runs.
    connection.execute(text("DELETE FROM live_search_state"))
    connection.execute(text("DROP TABLE live_search"))
    _prepare(connection)
    values = {"run": run.id, "created": run.created_time}
    connection.execute(text("INSERT INTO live_search_state VALUES (:run, :created, 0)"), values)


def _note(connection: Connection, run: Row[Any], seq: int) -> None:
    query = text("UPDATE live_search_state SET last_seq = :seq WHERE run_id = :run")
    connection.execute(query, {"seq": seq, "run": run.id})


def _insert(connection: Connection, run_id: int, updates: Sequence[NumberedOutput]) -> None:
    rows: list[tuple[int, list[str]]] = []
    for numbered in updates:
        update = numbered.output
        assert isinstance(update, Update)
        words = [_event_word(update.event_id), *search_words(_text_of(update))]
        rows.append((numbered.seq, words))
    if not rows:
        return
    if _is_postgres(connection):
        query = "INSERT INTO live_search VALUES (:run, :seq, array_to_tsvector(CAST(:words AS text[])))"
        values: list[dict[str, Any]] = [
            {"run": run_id, "seq": seq, "words": sorted(set(words))} for seq, words in rows
        ]
    else:
        query = "INSERT INTO live_search (rowid, words) VALUES (:row, :words)"
        values = [{"row": (run_id << _BITS) | seq, "words": " ".join(words)} for seq, words in rows]
    connection.execute(text(query), values)


def _matches(
    connection: Connection, run_id: int, query: Query, event_id: str | None, before: int | None, limit: int
) -> list[int]:
    """Numbers of updates that hold all words, the newest first."""
    words = dict.fromkeys([*query.words, *(word for phrase in query.phrases for word in phrase)])
    whole = [] if event_id is None else [_event_word(event_id)]
    values = {"run": run_id, "before": _LARGEST if before is None else before, "limit": limit}
    if _is_postgres(connection):
        parts = [f"'{word}'" for word in whole] + [f"'{word}':*" for word in words]
        statement = (
            "SELECT seq FROM live_search WHERE run_id = :run AND seq < :before "
            "AND words @@ CAST(:asked AS tsquery) ORDER BY seq DESC LIMIT :limit"
        )
        asked = {**values, "asked": " & ".join(parts)}
        return [int(row[0]) for row in connection.execute(text(statement), asked)]
    parts = [f'"{word}"' for word in whole] + [f'"{word}"*' for word in words]
    statement = (
        "SELECT rowid FROM live_search WHERE live_search MATCH :asked AND rowid > :first AND rowid < :last "
        "ORDER BY rowid DESC LIMIT :limit"
    )
    first = run_id << _BITS
    asked = {"asked": " ".join(parts), "first": first, "last": first | values["before"], "limit": limit}
    return [int(row[0]) & _LARGEST for row in connection.execute(text(statement), asked)]
