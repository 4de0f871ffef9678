"""Timelines by days as files: the story so far as JSON Lines, the two forms of the field, and folders of references.

The story so far has a line for each day:

{"event": "oil", "date": "2010-04-22", "documents": 12, "sentences": [{"doc": "a1", "sentence": 0, "text": "The rig
sinks.", "published_time": 1271944800, "source": "Wire", "title": "Rig sinks", "url": "https://…"}]}

Timeline17's text: a line with the date (`2010-04-20`), a line for each sentence, a line of 32 dashes; and so on. Or
JSON: one timeline is `[["2010-04-20T00:00:00", ["sentence", ...]], ...]`, alone in `.json` or one a line in `.jsonl`.
A run of updates becomes timelines by the days (UTC) at which its updates were decided.

References: one file; or a folder with a file for each reference; or a folder with a sub-folder for each topic. A
topic's folder may be as in news-tls (`timelines.jsonl`, one reference a line) or Timeline17 (`timelines/`).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from tidings.core import (
    LIMITS,
    BadRecordError,
    DailyTimeline,
    Digest,
    DigestDay,
    Event,
    Evidence,
    FormatError,
    Int64,
    Limits,
    OutputError,
    Problem,
    Problems,
    Run,
    TimelineDay,
    UsageError,
    ending,
    explain,
    find,
    is_folder,
    is_jsonl,
    plain_name,
    read_jsonl,
    read_lines,
    read_text,
    source_name,
    write_bytes,
    write_jsonl,
)
from tidings.following.outputs.outputs import read_updates
from tidings.following.outputs.runs import RUN_FORMATS

_WHAT = "a day a line: event, date, sentences"


class _SentenceLine(Struct):
    doc: str
    sentence: Int64
    text: str
    published_time: Int64 = 0
    source: str = ""
    title: str = ""
    url: str = ""
    pieces: tuple[tuple[Int64, Int64], ...] | msgspec.UnsetType = msgspec.UNSET


class _DayLine(Struct):
    event: str
    date: str
    documents: Int64 = 0
    system: str = ""
    sentences: list[_SentenceLine] = []


def write_digests(path: str | Path, digests: Iterable[Digest]) -> None:
    """Write digests, a day a line.

    Raises:
        OutputError: the file could not be written.
    """
    write_jsonl(path, (_line(digest, day) for digest in digests for day in digest.days))


def _line(digest: Digest, day: DigestDay) -> _DayLine:
    sentences = [
        _SentenceLine(
            sentence.doc_id,
            sentence.sentence_index,
            sentence.text,
            sentence.published_time,
            sentence.source,
            sentence.title,
            sentence.url,
            sentence.pieces or msgspec.UNSET,
        )
        for sentence in day.sentences
    ]
    return _DayLine(digest.event.id, day.date, day.documents, digest.system, sentences)


def read_digests(path: str | Path, *, problems: Problems | None = None) -> list[Digest]:
    """The digests of a file, one for each event in order of first appearance; of an event only its id is known.

    Raises:
        FormatError: bad lines, all together with path:line.
    """
    digests: dict[str, tuple[str, list[DigestDay]]] = {}
    for event, system, day in read_jsonl(path, _DayLine, _digest_day, problems=problems, what=_WHAT):
        digests.setdefault(event, (system, []))[1].append(day)
    return [
        Digest(event=Event(id=event, title="", query=""), system=system, days=tuple(days))
        for event, (system, days) in digests.items()
    ]


def _digest_day(line: _DayLine) -> tuple[str, str, DigestDay]:
    try:
        date = datetime.date.fromisoformat(line.date).isoformat()
    except ValueError:
        raise BadRecordError(f"the date {line.date[:60]!r}", "a day such as 2010-04-20") from None
    sentences = tuple(
        Evidence(
            sentence.doc,
            sentence.sentence,
            sentence.text,
            sentence.published_time,
            sentence.source,
            sentence.title,
            sentence.url,
            sentence.pieces or (),
        )
        for sentence in line.sentences
    )
    return line.event, line.system, DigestDay(date, sentences, line.documents)


class _Keys(Struct):
    date: str
    sentences: msgspec.Raw


def holds_digests(path: str | Path) -> bool:
    """Whether the first line of a JSON Lines file is a day of a digest."""
    first = next((line for _, line in read_lines(path) if line.strip()), b"")
    try:
        msgspec.json.decode(first, type=_Keys)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True


_DASHES = "-" * 32
_SEPARATOR = re.compile(r"-{8,}")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_MIDNIGHT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ][0-9:.]{5,15}Z?)?")
_JSON = 'one timeline a line, [["2010-04-20T00:00:00", ["sentence", ...]], ...]'
_Rows = list[tuple[str, list[str]]]


def read_timelines(
    path: str | Path,
    *,
    problems: Problems | None = None,
    notes: list[str] | None = None,
    limits: Limits = LIMITS,
) -> list[DailyTimeline]:
    """The timelines of a file: several in `.jsonl`, else one.

    Days come in the order of the file; one that is listed twice is kept twice (Timeline17's references have such days).
    Empty lines do not count. Timelines are named by their file, and by their line where there are several.

    With lenient `problems` a missing line of dashes is taken as there, and what has no date is skipped; all is counted.

    Raises:
        FormatError: bad lines, all together with path:line; or no day at all.
        LimitError, UsageError: as `tidings.core.files.reading.open_bytes`.
    """
    collected = Problems() if problems is None else problems
    name = Path(plain_name(source_name(path))).stem
    if is_jsonl(path):
        rows = list(read_jsonl(path, _Rows, _days, problems=collected, what=_JSON, limits=limits))
    elif ending(path) == ".json":
        rows = _one_json(read_text(path, notes=notes, limits=limits), source_name(path), collected)
    else:
        rows = [_text_days(read_text(path, notes=notes, limits=limits), source_name(path), collected)]
        collected.check()
    if not any(rows) and not collected.count:
        mend = "a timeline is a date, its sentences, and 32 dashes for each day; check that this is the right file"
        raise FormatError([Problem(source_name(path), 0, "no day", "at least one", mend)])
    if len(rows) == 1:
        return [DailyTimeline(name, rows[0])]
    return [DailyTimeline(f"{name}-{number}", days) for number, days in enumerate(rows, start=1)]


def _text_days(text: str, name: str, problems: Problems) -> tuple[TimelineDay, ...]:
    days: list[TimelineDay] = []
    date = ""
    skipping = False  # the day's date is no date
    sentences: list[str] = []

    def close() -> None:
        nonlocal date, skipping
        if date:
            days.append(TimelineDay(date, tuple(sentences)))
        date, skipping = "", False
        sentences.clear()

    lines = text.split("\n")
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if problems.full:
            break
        if not line or (skipping and not _SEPARATOR.fullmatch(line)):
            continue
        match = _DATE.fullmatch(line)
        marked_date = _iso(*map(int, match.groups())) if match else ""
        if _SEPARATOR.fullmatch(line):
            if not date and not skipping:
                problems.add(
                    name, number, "dashes", "a date such as 2010-04-20", "a day begins with its date"
                )
            close()
        elif marked_date:
            if date:
                mend = "put 32 dashes on a line before each further date"
                problems.add(
                    name,
                    number,
                    f"the date {line} among the sentences of {date}",
                    "a sentence or dashes",
                    mend,
                )
                close()
            date = marked_date
        elif date:
            sentences.append(line)
        else:
            skipping = True
            problems.add(
                name, number, _show(line), "a date such as 2010-04-20", _hint(line, match is not None)
            )
    if date and not problems.full:
        mend = "the file may be cut off; tilse would leave this day out"
        problems.add(name, len(lines), f"the end of the file in the day {date}", "32 dashes", mend)
        close()
    return tuple(days)


def _iso(year: int, month: int, day: int) -> str:
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return ""


def _show(line: str) -> str:
    return repr(line[:60] + ("..." if len(line) > 60 else ""))


def _hint(line: str, looks_like_date: bool) -> str:
    if looks_like_date:
        return "there is no such day"
    if line.startswith(("[", "{")):
        return "this looks like JSON: end the file's name in .json or .jsonl"
    if len(line.split()) == 7:
        return "this looks like a TREC run, which holds no words: give its updates with text (.jsonl)"
    return ""


def _one_json(text: str, name: str, problems: Problems) -> list[tuple[TimelineDay, ...]]:
    data = text.encode("utf-8", "surrogateescape")
    try:
        return [_days(msgspec.json.decode(data, type=_Rows))]
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        problems.add(name, 0, *explain(error, data, _JSON.replace(" a line", "")))
    problems.check()
    return []


def _days(rows: _Rows) -> tuple[TimelineDay, ...]:
    return tuple(TimelineDay(_day(date), tuple(filter(None, map(str.strip, texts)))) for date, texts in rows)


def _day(text: str) -> str:
    match = _MIDNIGHT.fullmatch(text)
    try:
        if match:
            return datetime.date.fromisoformat(match[1]).isoformat()
    except ValueError:
        pass
    raise BadRecordError(f"the date {_show(text)}", "a day such as 2010-04-20 or 2010-04-20T00:00:00")


def write_timelines(path: str | Path, timelines: Iterable[DailyTimeline]) -> None:
    """Write timelines; `.jsonl` holds any number, `.json` and text one. Names are left out, days keep their order.

    Raises:
        UsageError: more than one timeline for a file of one; or a sentence that Timeline17's text cannot hold, because
            it has several lines, or is itself a date or a line of dashes.
        OutputError: the file could not be written.
    """
    chosen = list(timelines)
    if not is_jsonl(path) and len(chosen) != 1:
        raise UsageError(
            f"{path}: {len(chosen)} timelines (expected one); end the name in .jsonl for several"
        )
    as_json = is_jsonl(path) or ending(path) == ".json"
    write = (
        (lambda timeline: timeline_json(timeline) + "\n")
        if as_json
        else (lambda timeline: timeline_text(timeline, path))
    )
    try:
        data = "".join(map(write, chosen)).encode()
    except UnicodeEncodeError as error:
        mend = "its input holds bytes that are not UTF-8: save that as UTF-8 first"
        raise OutputError(f"{path}: cannot hold broken text such as {error.object[:60]!r}; {mend}") from None
    write_bytes(path, data)


def timeline_json(timeline: DailyTimeline) -> str:
    """One timeline as JSON, `[["2010-04-20T00:00:00", ["sentence", ...]], ...]`, without a line end."""
    return msgspec.json.encode([[f"{day.date}T00:00:00", day.sentences] for day in timeline.days]).decode()


def timeline_text(timeline: DailyTimeline, path: str | Path = "-") -> str:
    """One timeline as Timeline17's text; `path` is what messages call the file that it is for.

    Raises:
        UsageError: a sentence that the text cannot hold, because it has several lines, or is itself a date or dashes.

    >>> print(timeline_text(DailyTimeline("", (TimelineDay("2010-04-22", ("The rig sinks .",)),))).splitlines()[:2])
    ['2010-04-22', 'The rig sinks .']
    """
    for sentence in (sentence for day in timeline.days for sentence in day.sentences):
        text = sentence.strip()
        if not text or set(text) & set("\n\r\0") or _SEPARATOR.fullmatch(text) or _DATE.fullmatch(text):
            mend = "write .json or .jsonl, which can"
            raise UsageError(f"{path}: a timeline in text cannot hold the sentence {_show(sentence)}; {mend}")
    return "".join(f"{line}\n" for day in timeline.days for line in (day.date, *day.sentences, _DASHES))


def timelines_of(run: Run) -> dict[str, DailyTimeline]:
    """The timelines of a run: for each event its updates by the day (UTC) of their time, in time order.

    Raises:
        UsageError: an update has no text.

    >>> from tidings.core.records import Update
    >>> updates = (Update("oil", "b", 0, 90000, text="It sank ."), Update("oil", "a", 0, 60, text="The rig burns ."))
    >>> [(day.date, day.sentences) for day in timelines_of(Run("us", "one", updates))["oil"].days]
    [('1970-01-01', ('The rig burns .',)), ('1970-01-02', ('It sank .',))]
    """
    grouped: dict[str, dict[str, list[str]]] = {}
    for update in sorted(run.updates, key=lambda update: update.time):
        if not update.text.strip():
            raise UsageError(
                f"run {run.team} {run.name}: update {update.id} has no text, expected its sentence: timelines are "
                "scored by their words; give the run as .jsonl with text"
            )
        date = datetime.datetime.fromtimestamp(update.time, datetime.UTC).date().isoformat()
        grouped.setdefault(update.event_id, {}).setdefault(date, []).append(" ".join(update.text.split()))
    return {
        event: DailyTimeline(event, tuple(TimelineDay(date, tuple(texts)) for date, texts in days.items()))
        for event, days in grouped.items()
    }


class TimelineRun(Struct, frozen=True):
    """What one system wrote: timelines of the topics that they are named by, or else of all topics in their order."""

    team: str
    name: str
    timelines: tuple[DailyTimeline, ...]
    by_topic: bool = False


def read_references(path: str | Path, *, problems: Problems | None = None) -> dict[str, list[DailyTimeline]]:
    """The reference timelines of each topic, by names of files or folders.

    Raises:
        UsageError: a folder without timelines.
        FormatError: bad lines.
    """
    folder = Path(path)
    if not is_folder(folder):
        return {_stem(path): read_timelines(path, problems=problems)}
    own = _marked(folder) or _plain_files(folder)
    if own:
        return {folder.resolve().name: _named_by_file(own, problems)}
    inner = sorted(sub for sub in folder.iterdir() if sub.is_dir())
    # Where some folders are marked as topics, others beside them are something else.
    topics = {sub.name: _marked(sub) for sub in inner}
    if not any(topics.values()):
        topics = {sub.name: _plain_files(sub) for sub in inner}
    if not any(topics.values()):
        raise UsageError(
            f"{path}: a folder without timelines (expected files in .txt, .json or .jsonl, or a folder of them "
            "for each topic)"
        )
    return {name: _named_by_file(files, problems) for name, files in topics.items() if files}


def _marked(folder: Path) -> list[Path]:
    # Where collections keep the timelines of a topic; its articles lie beside them.
    lines = find(folder, "timelines.jsonl")
    if lines:
        return [lines]
    return _plain_files(folder / "timelines") if (folder / "timelines").is_dir() else []


def _plain_files(folder: Path) -> list[Path]:
    return [
        file
        for file in sorted(folder.iterdir())
        if file.is_file()
        and ending(file) in RUN_FORMATS["timelines"].endings
        and not file.name.startswith(".")
    ]


def _named_by_file(files: list[Path], problems: Problems | None) -> list[DailyTimeline]:
    return [timeline for file in files for timeline in read_timelines(file, problems=problems)]


def _stem(path: str | Path) -> str:
    return Path(plain_name(path)).stem


def read_timeline_runs(path: str | Path, *, problems: Problems | None = None) -> list[TimelineRun]:
    """What is to be scored: a timeline, several in JSON Lines, a folder with one for each topic, or runs of updates.

    JSON Lines hold timelines when the first line begins with a bracket, else days of `tidings digest`, or tidings'
    updates, which become timelines by the day of their time.

    Raises:
        FormatError, UsageError: as `read_timelines`, `read_updates` and `timelines_of`.
    """
    folder = Path(path)
    if is_folder(folder):
        files = _plain_files(folder)
        if not files:
            raise UsageError(f"{path}: a folder without timelines (expected one file for each topic)")
        chosen = _named_by_file(files, problems)
        return [TimelineRun("", folder.resolve().name, tuple(chosen), by_topic=True)]
    if is_jsonl(path) and holds_digests(path):
        digests = read_digests(path, problems=problems)
        return [
            TimelineRun(
                "", _stem(path), tuple(digest.to_timeline() for digest in digests), by_topic=len(digests) > 1
            )
        ]
    if is_jsonl(path) and _holds_objects(path):
        return [
            TimelineRun(run.team, run.name, tuple(timelines_of(run).values()), by_topic=True)
            for run in read_updates(path, problems=problems)
        ]
    return [TimelineRun("", _stem(path), tuple(read_timelines(path, problems=problems)))]


def _holds_objects(path: str | Path) -> bool:
    return next((line.lstrip()[:1] == b"{" for _, line in read_lines(path) if line.strip()), False)
