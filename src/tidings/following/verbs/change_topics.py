"""`tidings follow --topics`: answer the questions of Change Detection day by day."""

from __future__ import annotations

from contextlib import ExitStack

from tidings.following.run_options import RunOptions

_OTHERS = ("query", "event", "story", "live", "values", "places", "entities", "wait", "title")
_UNUSED = ("about", "start", "end")


def answer_topics(options: RunOptions, topics: str) -> None:
    """Write a run that answers each day of the sources from what was published up to it.

    Raises:
        UsageError: an option that says what else to follow, no name of an output, or no documents.
        FormatError: topics or documents that cannot be read.
    """
    from pathlib import Path

    from tidings.core import Problems, UsageError, how_many, refuse_overwriting, say
    from tidings.following.changes.answering import ChangeTracker, by_days
    from tidings.following.changes.formats import (
        RUNTAG,
        ChangeRun,
        Head,
        TopicAnswers,
        is_runtag,
        read_change_topics,
        write_change_run,
    )
    from tidings.following.changes.kept import KeptDays, begin_answers
    from tidings.following.hosting import DEFAULT_SYSTEM
    from tidings.following.hosting.output import default_store
    from tidings.following.hosting.settings import absolute_name
    from tidings.following.verbs.options import reading_of
    from tidings.following.verbs.progress_line import reading_progress
    from tidings.sources import open_reading, piped_content

    for name in _OTHERS:
        if options[name]:  # type: ignore[literal-required]
            raise UsageError(f"--topics and --{name} cannot be combined; topics bring their own questions")
    unused = [name for name in _UNUSED if options[name] is not None]  # type: ignore[literal-required]
    unused += ["system"] if options["system"] != DEFAULT_SYSTEM else []
    if unused and not options["quiet"]:
        say(f"note: --topics ignores --{', --'.join(unused)}")
    if options["engine"] != "local":
        raise UsageError("--topics with --engine spark: topics are answered in this process alone")
    out, sources = str(options["out"]), options["sources"]
    runtag = options["run_name"] or "tidings"
    if not is_runtag(runtag):
        raise UsageError(f"--run-name {runtag}: the track takes {RUNTAG}")
    refuse_overwriting(
        {"--out": out}, {"--topics": [topics], "a source": [source for source in sources if source != "-"]}
    )
    asked = read_change_topics(topics)
    if not any(topic.questions for topic in asked):
        expected = "a topic a line: tid, label, narrative, questions"
        raise UsageError(f"{topics}: there are no questions (expected {expected})")
    problems = Problems(lenient=options["lenient"])
    contents = [(piped_content() if source == "-" else None) or source for source in sources]
    opened = open_reading(contents, reading_of(options), problems=problems, pool=options["pool"])
    place = str(options["store"] or default_store(out))
    name = absolute_name(out) if options["store"] else Path(out).name
    with ExitStack() as stack:
        run = None
        if place:
            reading, pool, restart = reading_of(options), options["pool"], options["restart"]
            begun = begin_answers(place, name, asked, reading, pool=pool, restart=restart)
            run = stack.enter_context(begun)
        kept = KeptDays(ChangeTracker(asked), run)
        if kept.days and not options["quiet"]:
            say(f"going on after {how_many(len(kept.days), 'day')}, the last of them {max(kept.days)}")
        with reading_progress(opened, quiet=options["quiet"]):
            kept.answer(by_days(opened))
    say(problems.summary(), prefix="")
    days = len(kept.days)
    results = {
        topic.tid: {day: found.answers[topic.tid] for day, found in kept.days.items()} for topic in asked
    }
    if not days:
        raise UsageError(f"{', '.join(sources[:3])}: there are no documents")
    head = Head(
        runtag=runtag,
        description="Evidence of each sentence that it is on the topic, answers, and is new; silent below a level.",
        extern="weights learned from TREC Temporal Summarization 2013; rarity of words in news of other years",
    )
    write_change_run(out, ChangeRun(head, tuple(TopicAnswers(tid, found) for tid, found in results.items())))
    if not options["quiet"]:
        answered = sum(len(answers) for found in results.values() for answers in found.values())
        units = days * sum(len(topic.questions) for topic in asked)
        say(
            f"{out}: {answered:,} of {units:,} questions answered on {how_many(days, 'day')}, "
            f"{how_many(len(asked), 'topic')}",
            prefix="",
        )
