"""Which verbs there are, by what a person wants, in the order in which `tidings --help` lists them.

Their lines stand here, so that help and completion know every verb while only the one that is called is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import typer

__all__ = ["FAMILIES", "GROUPS", "VERBS", "joined", "module_of", "register", "register_family"]

GROUPS: dict[str, dict[str, str]] = {
    "Follow and read": {
        "demo": "Follow the bundled event and see how it scores.",
        "read": "What is understood of feeds, pages, tables, archives.",
        "follow": "Follow events through streams; write the updates.",
        "digest": "Tell an event by days: the story so far, with sources.",
        "values": "Track the dead, injured, missing, … through streams.",
        "entities": "Rank who and where matters on each day, through streams.",
        "entities views": "How often entities' pages were read each day.",
        "timeline": "Show one event as a run tells it, here or on a page.",
        "tag": "Find the persons, organizations and places in text.",
        "serve": "Follow for ever; serve pages that update themselves.",
        "serve demo": "Watch a week of 2013 pass on live pages, offline.",
        "systems": "Which systems decide, and their options.",
        "convert": "Turn one format into another.",
    },
    "Measure and compare": {
        "score": "Score runs against judgments, as the official scorers do.",
        "compare": "Compare runs topic by topic, with tests and intervals.",
        "explain": "Which nuggets were told, how late, and what was earned.",
        "explain-entity": "Why an entity stands where it does on a day.",
        "agreement": "How far judges agree on what sentences tell.",
        "study": "Nuggets against clusters: which judgments, who wins by which.",
        "reuse": "How far judgments serve runs that came after them.",
        "measures": "What can be measured, and what each measure means.",
    },
    "Judge": {
        "pool": "Choose the updates of runs that people should judge.",
        "match": "Say which updates may say which nuggets, unjudged.",
        "cluster": "Group the updates that say the same, unjudged.",
        "assess serve": "Serve the assessors' desk: judge in a browser.",
        "assess import": "Bring topics, pools and judgments to the desk.",
        "assess export": "Write a project's judgments as TREC files.",
        "assess projects": "List projects, make one, change its settings.",
        "assess progress": "How far a project is, how long it took, runs' scores.",
        "assess demo": "Open the desk with the bundled event, half judged.",
        "assess users": "List accounts, make one, give it a role.",
        "assess agreement": "How far the judges of a project agree, by task.",
        "assess simulate": "How soon another order of judging finds the matches.",
    },
    "Keep": {
        "store backup": "Copy a store to a file while it is used.",
        "store restore": "Put such a copy back.",
        "store prune": "Remove old documents and delivered alarms.",
        "store marks": "Write readers' marks as judgments to learn from.",
    },
    "Learn": {
        "train": "Train a system on judged events; write its model.",
        "experiment": "Train and test systems as a plan says.",
        "attention": "Which words of a sentence the system hres looks at.",
    },
}
"""Group to verbs, verb to its line. Each verb is a file of this folder with a `register(app)`."""

VERBS = tuple(verb for verbs in GROUPS.values() for verb in verbs)
"""All verbs, in the order of their groups."""


_MODULES = {"entities views": "entity_views"} | {
    verb: verb.replace(" ", "_") for verb in VERBS if verb.startswith(("assess ", "serve ", "store "))
}


def module_of(verb: str) -> str:
    """The file of this folder in which a verb stands.

    >>> module_of("follow"), module_of("explain-entity"), module_of("entities views")
    ('follow', 'explain_entity', 'entity_views')
    """
    return _MODULES.get(verb, verb.replace("-", "_"))


def joined(args: Sequence[str]) -> list[str]:
    """Arguments with a verb of two words made one.

    >>> joined(["entities", "views", "Obama"]), joined(["entities", "news.jsonl"])
    (['entities views', 'Obama'], ['entities', 'news.jsonl'])
    """
    first = " ".join(args[:2])
    return [first, *args[2:]] if first in _MODULES else list(args)


def register(app: typer.Typer, called: str | None = None, *, single_words: bool = False) -> None:
    """Add the verb that is called, and of every other one its name, line and group.

    With `single_words` verbs of two words are hidden: shells complete word by word.
    """
    import_module("tidings.cli.version").register(app)
    for group, verbs in GROUPS.items():
        for verb, line in verbs.items():
            if verb == called:
                import_module(f"tidings.cli.{module_of(verb)}").register(app)
            else:
                hidden = single_words and verb in _MODULES
                app.command(verb, help=line, rich_help_panel=group, hidden=hidden)(_not_loaded)


FAMILIES = {"assess": "The assessors' desk.", "store": "What a store keeps."}
"""First words that are no verb themselves, with a line for each."""


def register_family(app: typer.Typer, first: str) -> None:
    """Let `tidings FIRST --help`, or FIRST alone, list the verbs that begin so."""
    family = typer.Typer(help=FAMILIES[first], no_args_is_help=True)
    for verbs in GROUPS.values():
        for verb, line in verbs.items():
            if verb.startswith(f"{first} "):
                family.command(verb.removeprefix(f"{first} "), help=line)(_not_next_to_its_first)
    app.add_typer(family, name=first, hidden=True)


def _not_next_to_its_first() -> None:
    from tidings.core import UsageError

    raise UsageError("Write the two words of a verb side by side, such as `tidings assess serve`.")


def _not_loaded() -> None:
    raise AssertionError("only the verb that is called can run")
