"""Turning one format into another, saying what is lost on the way.

Which formats there are, and what each can become, stands in `tidings.sources.registry`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tidings.core import (
    COMPRESSED,
    Document,
    Event,
    Judgments,
    PooledUpdate,
    Problems,
    Run,
    UsageError,
    ValueUpdate,
    bare_event_id,
    find,
    is_jsonl,
    make_folder,
    move_files,
    quote_value,
    refuse_overwriting,
    written_aside,
)
from tidings.evaluation.formats.registry import CONVERTIBLE, FORMATS
from tidings.sources import Format

KINDS = CONVERTIBLE
FOLDERS = tuple(name for name in KINDS if FORMATS[name].is_folder)
_TOLD_BY_NAME = tuple(name for name in KINDS if len(FORMATS[name].becomes) > 1)
_NUGGETS_ALONE = ("nuggetizer", "argue")
_EXPECTED = f"one of {', '.join(KINDS)}"


@dataclass
class Conversion:
    """What a conversion did: what it read and wrote, how much, and a line for each thing lost or changed."""

    source_kind: str
    target_kind: str
    counts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, number: int, one: str, many: str) -> None:
        """Note how many of something were written."""
        self.counts.append(f"{number:,} {one if number == 1 else many}")

    def lose(self, number: int, what: str, why: str = "") -> None:
        """Note that `number` of something could not be kept, when it is not 0."""
        if number:
            place = (
                f"a file of kind {self.target_kind} cannot hold"
                if self.target_kind not in FOLDERS
                else "lost:"
            )
            self.notes.append(f"{place} {what} ({number:,}){why}")


def kind_of_source(path: str | Path, said: str | None = None, target: str | Path = "") -> str:
    """The kind of an input, by what is said, else by its name; `.jsonl` is told apart by the output's name.

    >>> kind_of_source("a.run.gz"), kind_of_source("a.jsonl", target="a.run"), kind_of_source("topics.xml")
    ('run', 'updates', 'topics')

    Raises:
        UsageError: an unknown kind, or a name that does not say.
    """
    if said is not None:
        return _known(said, "--from")
    if str(path) == "-":
        raise UsageError(f"standard input has no name, so say what it is: --from with {_EXPECTED}")
    fitting = [FORMATS[name] for name in _TOLD_BY_NAME if FORMATS[name].is_name_of(path)]
    marked = [source for source in fitting if not source.takes_any_name] or fitting
    if len(marked) > 1:
        marked = _of_target(marked, target)
    if len(marked) != 1:
        raise UsageError(
            f"{path}: may hold documents, updates or events; say which, such as --from documents"
        )
    return marked[0].name


def _of_target(sources: list[Format], target: str | Path) -> list[Format]:
    # Which of these the output's name says: what can become a format of just this ending, else of any name.
    if str(target) in ("-", ""):
        return sources
    becoming = {
        one.name: [FORMATS[name] for name in one.becomes if FORMATS[name].suits(target)] for one in sources
    }
    exactly = [source for source in sources if any(not to.takes_any_name for to in becoming[source.name])]
    return exactly or [source for source in sources if becoming[source.name]]


def kind_of_target(path: str | Path, source: str, said: str | None = None) -> str:
    """The kind of an output: what is said, else the counterpart of the input that fits the name.

    >>> kind_of_target("out.jsonl", "run"), kind_of_target("out.jsonl", "trec"), kind_of_target("out", "trec")
    ('updates', 'documents', 'judgments')

    Raises:
        UsageError: an unknown kind, or one that the input cannot become.
    """
    possible = FORMATS[source].becomes
    if said is not None:
        if _known(said, "--to") not in possible:
            raise UsageError(f"cannot make {said} of {source}; expected --to {' or '.join(possible)}")
        return said
    suits = [kind for kind in possible if FORMATS[kind].suits(path)]
    if not suits:
        raise UsageError(
            f"{path}: the name does not fit anything that {source} can become; add --to {' or '.join(possible)}"
        )
    return suits[0]


def _known(kind: str, option: str) -> str:
    if kind in KINDS:
        return kind
    from difflib import get_close_matches

    close = get_close_matches(kind, KINDS, 1)
    raise UsageError(
        f"{option} {kind!r} (expected {_EXPECTED})" + (f"; did you mean {close[0]}?" if close else "")
    )


def convert(
    source: str | Path,
    target: str | Path,
    *,
    source_kind: str | None = None,
    target_kind: str | None = None,
    pool: str = "sampled",
    overwrite: bool = False,
    problems: Problems | None = None,
) -> Conversion:
    """Read `source`, write `target`, and say what could not be kept.

    Args:
        source: a file, a folder, or `-`.
        target: the same; replaced only when all of it could be written.
        source_kind: one of `KINDS`; by the name without.
        target_kind: one of `KINDS`; the counterpart that fits the name without.
        pool: of a TREC folder, `sampled` or `extended`.
        overwrite: replace the judgments of a folder that is there, or remove them.
        problems: lenient ones skip and count bad lines.

    Raises:
        UsageError: a kind that the names do not say, or that the input cannot become; the output is the input; or a
            folder that holds judgments already.
        FormatError, LimitError, OutputError: as the readers and writers.
    """
    if source_kind is None and target_kind in ("run", "updates") and is_jsonl(source):
        source_kind = "updates"
    read_as = kind_of_source(source, source_kind, target)
    done = Conversion(read_as, kind_of_target(target, read_as, target_kind))
    _refuse_itself(source, target, done)
    holds = FORMATS[read_as].holds
    if holds == "judgments":
        _folder(source, target, done, pool, overwrite, problems)
    elif holds == "updates":
        _write_runs(target, _read_runs(source, done, problems), done)
    elif holds == "events":
        _write_events(target, *_read_events(source, done, problems), done)
    elif holds == "documents":
        _sentences(source, target, done, problems)
    else:
        _as_it_is(source, target, done, problems)
    return done


def _refuse_itself(source: str | Path, target: str | Path, done: Conversion) -> None:
    if done.source_kind != done.target_kind:  # of the same kind, nothing is lost in place
        refuse_overwriting({"OUT": target}, {"IN": [source]})
    if Path(source).is_dir() and Path(target).is_dir() and Path(source).samefile(target):
        raise UsageError(f"{target}: IN and OUT are the same folder; choose another OUT")


def _as_it_is(source: str | Path, target: str | Path, done: Conversion, problems: Problems | None) -> None:
    # What has no counterpart is written again: packed, tidied, or in another form of the same format.
    content = FORMATS[done.source_kind].read(source, problems=problems)
    FORMATS[done.target_kind].write(target, content)
    holds = FORMATS[done.source_kind].holds
    if isinstance(content, list):
        done.count(len(content), f"item of {holds}", f"items of {holds}")
    else:
        done.count(1, "run", "runs")


def _read_runs(source: str | Path, done: Conversion, problems: Problems | None) -> list[Run]:
    if done.source_kind == "updates":
        from tidings.following import read_updates

        return read_updates(source, problems=problems)
    from tidings.following import read_run, with_cards

    return with_cards(source, read_run(source, problems=problems, notes=done.notes))


def _write_runs(target: str | Path, runs: Sequence[Run], done: Conversion) -> None:
    if done.target_kind == "updates":
        from tidings.following import write_updates

        write_updates(target, runs)
    else:
        from tidings.following import write_runs

        write_runs(target, runs, form="trec")
        if done.source_kind == "updates":
            for what, name in (
                ("text", "texts"),
                ("source", "sources"),
                ("published_time", "published times"),
                ("title", "titles"),
                ("url", "addresses"),
            ):
                done.lose(sum(bool(getattr(update, what)) for run in runs for update in run.updates), name)
            done.lose(sum(len(run.values) for run in runs), "values")
            done.lose(sum(len(run.rankings) for run in runs), "entity rankings")
            done.lose(sum(len(run.supports) for run in runs), "sentences that support updates")
            done.lose(
                sum(not (run.team and run.name) for run in runs), "runs without a name", "; they got one"
            )
    done.count(sum(len(run.updates) for run in runs), "update", "updates")
    done.count(len(runs), "run", "runs")


def _read_events(
    source: str | Path, done: Conversion, problems: Problems | None
) -> tuple[list[Event], list[ValueUpdate]]:
    if done.source_kind == "events":
        from tidings.sources import read_event_file

        return read_event_file(source, problems=problems), []
    from tidings.sources import read_topics_and_values

    return read_topics_and_values(source, problems=problems, notes=done.notes)


def _write_events(
    target: str | Path, events: Sequence[Event], values: Sequence[ValueUpdate], done: Conversion
) -> None:
    if done.target_kind == "events":
        from tidings.sources import write_event

        write_event(target, events[0] if len(events) == 1 else events)
        done.lose(len(values), "tracked values")
    else:
        from tidings.sources import write_topics

        write_topics(target, events, values)
        done.lose(sum(bare_event_id(event.id) != event.id for event in events), "the track's prefix of ids")
    done.count(len(events), "event", "events")


def _sentences(source: str | Path, target: str | Path, done: Conversion, problems: Problems | None) -> None:
    if done.source_kind == "pool":
        from tidings.sources import read_pool_table

        rows, headless = read_pool_table(source, problems=problems, notes=done.notes)
        if done.target_kind == "pool":
            _write_pool(target, rows, headless, done)
        else:
            _pool_as_documents(target, rows, done)
        return
    from tidings.sources import read_documents

    documents = read_documents(source, problems=problems)
    if done.target_kind == "pool":
        _documents_as_pool(target, documents, done)
    else:
        _write_documents(target, documents, done)


def _write_documents(target: str | Path, documents: Iterable[Document], done: Conversion) -> None:
    from tidings.sources import write_documents

    counted = 0

    def counting() -> Iterator[Document]:
        nonlocal counted
        for document in documents:
            counted += 1
            yield document

    write_documents(target, counting())
    done.count(counted, "document", "documents")


def _write_pool(target: str | Path, rows: Sequence[PooledUpdate], headless: bool, done: Conversion) -> None:
    from tidings.sources import write_pool

    write_pool(target, rows, headless=headless, notes=done.notes)
    done.count(len(rows), "pooled update", "pooled updates")


def _pool_as_documents(target: str | Path, rows: Sequence[PooledUpdate], done: Conversion) -> None:
    from tidings.sources import pool_documents

    texts: dict[str, str] = {}
    others = sum(texts.setdefault(row.id, row.text) != row.text for row in rows)
    done.lose(len(rows) - len({(row.event_id, row.id) for row in rows}), "repeated rows")
    done.lose(others, "a second text of one sentence")
    done.lose(sum(bool(row.duplicate_of) for row in rows), "links to duplicates")
    done.lose(sum(bool(row.listed_length) for row in rows), "listed lengths")
    done.notes.append("documents are in time order, whatever the order of the rows")
    _write_documents(target, pool_documents(rows), done)


def _documents_as_pool(target: str | Path, documents: Iterable[Document], done: Conversion) -> None:
    from tidings.core import cut

    rows = []
    lost = dict.fromkeys(("titles", "addresses (url)", "sources", "texts as a whole", "published times"), 0)
    for document in documents:
        lost["titles"] += bool(document.title)
        lost["addresses (url)"] += bool(document.url)
        lost["sources"] += bool(document.source)
        lost["texts as a whole"] += bool(document.text)
        lost["published times"] += not document.id.startswith(f"{document.published_time}-")
        for sentence in cut(document).sentences:
            if sentence.events is None:
                raise UsageError(
                    f"sentence {quote_value(sentence.id)} names no events, and a table of pooled updates says "
                    "for each sentence which event it was pooled for; add events to the documents"
                )
            rows += [
                PooledUpdate(event, document.id, sentence.index, sentence.text) for event in sentence.events
            ]
    for what, number in lost.items():
        done.lose(number, what)
    _write_pool(target, rows, False, done)


def _folder(
    source: str | Path,
    target: str | Path,
    done: Conversion,
    pool: str,
    overwrite: bool,
    problems: Problems | None,
) -> None:
    if done.target_kind in ("topics", "events"):
        from tidings.sources import read_events

        _write_events(target, read_events(source), [], done)
        done.notes.append("only the events were written, none of the judgments")
        return
    if done.target_kind == "documents":
        from tidings.sources import read_stream

        _write_documents(target, read_stream(source, pool=pool, problems=problems), done)
        done.notes.append("only the documents were written, none of the judgments")
        return
    former = _former_files(target, overwrite) if done.target_kind in FOLDERS else []
    judgments = _read_folder(source, done, pool, problems)
    if done.target_kind in _NUGGETS_ALONE:
        FORMATS[done.target_kind].write(target, judgments)
        listed = {event.id for event in judgments.events}
        texts = [(nugget.event_id, nugget.text) for nugget in judgments.nuggets if nugget.event_id in listed]
        kept = len(set(texts)) if done.target_kind == "argue" else len(texts)
        done.count(len(listed), "topic", "topics")
        done.count(kept, "nugget", "nuggets")
        done.lose(len(judgments.nuggets) - len(texts), "nuggets of topics that are not listed")
        done.lose(len(texts) - kept, "nuggets in the words of another of their topic")
        done.lose(len(judgments.matches), "matches")
        return
    if done.target_kind == "pool":
        _write_pool(target, judgments.pool, judgments.pool_headless, done)
        done.lose(sum(bool(row.source) for row in judgments.pool), "sources")
        return
    make_folder(Path(target).parent)
    with written_aside(target) as aside:
        notes: list[str] = []
        _write_folder(aside, source, judgments, done, notes, problems)
        done.notes += [note.replace(str(aside), str(target)) for note in notes]
        written = [path.name for path in aside.iterdir()]
        move_files(aside, Path(target), written, [path.name for path in former])
    for number, one, many in (
        (len(judgments.events), "event", "events"),
        (len(judgments.nuggets), "nugget", "nuggets"),
        (len(judgments.matches), "match", "matches"),
        (len(judgments.pool), "pooled update", "pooled updates"),
    ):
        done.count(number, one, many)


def _former_files(target: str | Path, overwrite: bool) -> list[Path]:
    """The files of judgments, of either kind, that a folder holds.

    Raises:
        UsageError: there are some, and they may not be replaced.
    """
    from tidings.sources import JUDGMENT_FILES, NAMES

    names = {*JUDGMENT_FILES, *(name for group in NAMES.values() for name in group)}
    paths = [Path(target) / (name + ending) for name in sorted(names) for ending in COMPRESSED]
    there = [path for path in paths if path.exists() or path.is_symlink()]
    for path in there:
        if path.is_dir():
            raise UsageError(f"{path}: is a folder in the place of a file of judgments; choose another OUT")
    if there and not overwrite:
        raise UsageError(
            f"{there[0]}: the folder holds judgments already; choose another folder, or replace what is there "
            "with --overwrite"
        )
    return there


def _write_folder(
    folder: Path,
    source: str | Path,
    judgments: Judgments,
    done: Conversion,
    notes: list[str],
    problems: Problems | None,
) -> None:
    if done.target_kind == "trec":
        from tidings.sources import write_trec_judgments as write_trec

        write_trec(folder, judgments, notes=notes)
        if done.source_kind == "judgments":
            notes.append(f"{folder}: titles, addresses and whole texts of documents have no place there")
        return
    from tidings.sources import write_own_judgments as write_own

    documents = None
    if done.source_kind == "judgments":
        from tidings.sources import read_stream

        documents = read_stream(source, problems=problems)
    write_own(folder, judgments, documents, notes=notes)


def _read_folder(source: str | Path, done: Conversion, pool: str, problems: Problems | None) -> Judgments:
    if done.source_kind in _NUGGETS_ALONE:
        done.notes.append(f"{source}: nuggets have no time there, and are given 1970-01-01")
        judged: Judgments = FORMATS[done.source_kind].read(source, problems=problems)
        if not judged.events:
            raise UsageError(
                f"{source}: there are no topics; a line of {done.source_kind} is a topic with its nuggets"
            )
        return judged
    if done.source_kind == "judgments":
        from tidings.sources import read_own_judgments as read_own

        return read_own(source, problems=problems)
    from tidings.sources import NAMES, read_trec_judgments

    other = "sampled" if pool == "extended" else "extended"
    if find(source, *NAMES[other]) is not None:
        done.notes.append(f"{source}: its {other} pool was left out; --pool {other} takes it instead")
    return read_trec_judgments(source, pool=pool, problems=problems, notes=done.notes)
