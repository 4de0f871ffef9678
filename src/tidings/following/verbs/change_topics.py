"""`tidings follow --topics`: answer the questions of Change Detection day by day."""

from __future__ import annotations

from tidings.following.run_options import RunOptions

_OTHERS = ("query", "event", "story", "live", "values", "places", "entities", "wait", "title")
_UNUSED = ("about", "start", "end")


def answer_topics(options: RunOptions, topics: str) -> None:
    """Write a run that answers each day of the sources from what was published up to it.

    Raises:
        UsageError: an option that says what else to follow, no name of an output, or no documents.
        FormatError: topics or documents that cannot be read.
    """
    from tidings.core import Problems, UsageError, counted, refuse_overwriting, say
    from tidings.following.changes.answering import ChangeTracker, by_days
    from tidings.following.changes.formats import (
        RUNTAG,
        Answer,
        ChangeRun,
        Head,
        TopicAnswers,
        is_runtag,
        read_change_topics,
        write_change_run,
    )
    from tidings.following.hosting import DEFAULT_SYSTEM
    from tidings.following.verbs.options import reading_of
    from tidings.following.verbs.progress import reading_progress
    from tidings.sources import open_reading, piped_content

    for name in _OTHERS:
        if options[name]:  # type: ignore[literal-required]
            raise UsageError(f"--topics with --{name}: say one of the two; topics bring their own questions")
    unused = [name for name in _UNUSED if options[name] is not None]  # type: ignore[literal-required]
    unused += ["system"] if options["system"] != DEFAULT_SYSTEM else []
    if unused and not options["quiet"]:
        say(f"note: topics are answered without --{', --'.join(unused)}")
    if options["engine"] != "local":
        raise UsageError("--topics with --engine spark: topics are answered in this process alone")
    out, sources = str(options["out"]), options["sources"]
    runtag = options["run_name"] or "tidings"
    if not is_runtag(runtag):
        raise UsageError(f"--run-name {runtag}: the track takes {RUNTAG}")
    refuse_overwriting(
        {"--out": out}, {"--topics": [topics], "a source": [one for one in sources if one != "-"]}
    )
    asked = read_change_topics(topics)
    if not any(topic.questions for topic in asked):
        expected = "a topic a line: tid, label, narrative, questions"
        raise UsageError(f"{topics}: there are no questions (expected {expected})")
    tracker = ChangeTracker(asked)
    results: dict[str, dict[str, tuple[Answer, ...]]] = {topic.tid: {} for topic in asked}
    problems = Problems(lenient=options["lenient"])
    contents = [(piped_content() if source == "-" else None) or source for source in sources]
    opened = open_reading(contents, reading_of(options), problems=problems, pool=options["pool"])
    with reading_progress(opened, quiet=options["quiet"]):
        for day, documents in by_days(opened):
            for topic, answers in tracker.push(documents).items():
                results[topic][day] = answers
    say(problems.summary(), prefix="")
    days = max(map(len, results.values()), default=0)
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
            f"{out}: {answered:,} of {units:,} questions answered on {counted(days, 'day')}, "
            f"{counted(len(asked), 'topic')}",
            prefix="",
        )
