"""`tidings follow`: follow events through streams and write down what is new."""

from __future__ import annotations

from contextlib import ExitStack
from time import perf_counter

from tidings.core import takes_options
from tidings.following.run_options import RunOptions
from tidings.following.verbs.live_run import check_polling
from tidings.following.verbs.options import choose, run_settings
from tidings.following.verbs.progress_line import set_up_progress
from tidings.following.verbs.run_report import RunReport
from tidings.following.verbs.spark_run import spark_options


@takes_options("follow")
def follow(options: RunOptions) -> None:
    """Follow events through sources, decide what is new, and write the updates to OUT.

    If a run is interrupted, the same command continues it.
    """
    from tidings.following.hosting.output import writes_jsonl
    from tidings.following.hosting.runs import Interrupt, host
    from tidings.following.hosting.settings import choose_pace

    if options["topics"] is not None:
        from tidings.following.verbs.change_topics import answer_topics

        answer_topics(options, options["topics"])
        return
    began = perf_counter()
    quiet, show, out, form = options["quiet"], options["show"], options["out"], options["format"] or ""
    interrupt = Interrupt(unhurried=options["engine"] != "local")
    with interrupt.watching(), ExitStack() as stack:
        setting_up = stack.enter_context(set_up_progress(quiet=quiet))
        _check_format(options)
        check_polling(options)
        on_spark = spark_options(options)
        description = ""
        if options["story"] is not None:
            options, description = _of_story(options, options["story"])
        about = None if options["about"] is None else str(options["about"])
        on_the_spot = bool(options["query"]) and not options["event"]
        settings = run_settings(
            options,
            description,
            system=_with_options(options),
            about=choose_pace(about, options["system"], on_the_spot=on_the_spot),
            support=writes_jsonl(out, form) if options["support"] is None else options["support"],
            format=form,
        )
        if on_spark is not None:
            from tidings.following.verbs.spark_run import follow_on_spark

            setting_up()
            follow_on_spark(
                settings, on_spark, interrupt, lambda: choose(options, description), quiet=quiet, began=began
            )
            return
        if options["live"]:
            from tidings.following.verbs.live_run import follow_live, live_settings

            setting_up()
            follow_live(settings, live_settings(options), interrupt, quiet=quiet, show=show, began=began)
            return
        run = stack.enter_context(host(settings, stop=interrupt))
        setting_up()
        RunReport(run, quiet, began).follow(show)


def _of_story(options: RunOptions, story: str) -> tuple[RunOptions, str]:
    """(the options that follow a story: its words as the query, and its profile; its event's description)"""
    from tidings.core import ARTICLE, UsageError
    from tidings.following.hosting.output import default_store
    from tidings.following.systems.registry import with_option
    from tidings.following.verbs.options import reading_of
    from tidings.following.verbs.story_choice import find_story

    if options["event"]:
        raise UsageError("--story and --event cannot be combined: a story is an event of its own")
    store = str(options["store"] or default_store(options["out"]))
    found = find_story(
        story,
        list(options["sources"]),
        store,
        reading_of(options),
        pool=options["pool"],
        lenient=options["lenient"],
    )
    changed = options.copy()
    changed["query"] = options["query"] or [found.query]
    changed["title"] = options["title"] or [found.title]
    is_article = found.profile.startswith(ARTICLE)
    if found.profile and not is_article:
        changed["system"] = with_option(str(options["system"]), "profile", found.profile)
    changed["run_name"] = options["run_name"] or "story"
    return changed, found.profile if is_article and not options["query"] else ""


def _beside(options: RunOptions) -> list[str]:
    return [name for name in ("values", "places", "entities") if options[name]]


def _with_options(options: RunOptions) -> str:
    """The system with what --wait, --story-terms, --values, --places and --entities ask of it."""
    from tidings.following.systems.registry import with_option, with_terms

    chosen, wait = str(options["system"]), options["wait"]
    if options["story_terms"]:
        chosen = with_terms(chosen, options["story_terms"])
    if wait:
        chosen = with_option(chosen, "wait", str(wait))
    for option in _beside(options):
        chosen = with_option(chosen, option, "yes")
    return chosen


def _check_format(options: RunOptions) -> None:
    from tidings.core import UsageError
    from tidings.following.hosting.output import writes_jsonl

    out = options["out"]
    for option in [] if writes_jsonl(out, options["format"] or "") else _beside(options):
        more = "; see also `tidings values --format trec`" if option in ("values", "places") else ""
        raise UsageError(
            f"--{option} with --out {out} (expected a name ending in .jsonl or --format jsonl): a TREC run "
            f"holds updates alone{more}"
        )
