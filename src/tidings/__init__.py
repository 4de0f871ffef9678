"""tidings: follow events through streams of documents, and measure how well it is done.

What programs use stands here and is loaded when it is first asked for:

- `follow` and `Tracker` follow events; `Document`, `Event`, `Sentence`, `Update`, `Run` are what they take and give;
- `digest` tells the story so far, by days: a `Digest`;
- `score` and `compare` measure runs against judgments;
- `read_documents`, `read_judgments`, `read_run` read files (a run from a store, too);
- `register_system` makes a class of yours a system; `TidingsError` is the parent of all errors that can be mended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.core import (
        Digest,
        Document,
        EntityRanking,
        Event,
        Judgments,
        Run,
        Sentence,
        TidingsError,
        Update,
        ValueUpdate,
    )
    from tidings.evaluation import (
        RunComparison,
        Scores,
        compare,
        read_documents,
        read_judgments,
        read_run,
        score,
    )
    from tidings.following import OutputStream, Tracker, digest, follow, register_system

__version__ = "0.1.0"

_PLACES = {
    "Digest": "records",
    "Document": "records",
    "EntityRanking": "records",
    "Event": "records",
    "Judgments": "records",
    "OutputStream": "api.following",
    "Run": "records",
    "RunComparison": "api.comparing",
    "Scores": "api.scores",
    "Sentence": "records",
    "TidingsError": "errors",
    "Tracker": "api.tracker",
    "Update": "records",
    "ValueUpdate": "records",
    "compare": "api.comparing",
    "digest": "api.digesting",
    "follow": "api.following",
    "read_documents": "api.reading",
    "read_judgments": "api.reading",
    "read_run": "api.reading",
    "register_system": "systems.registry",
    "score": "api.scores",
}

__all__ = [
    "Digest",
    "Document",
    "EntityRanking",
    "Event",
    "Judgments",
    "OutputStream",
    "Run",
    "RunComparison",
    "Scores",
    "Sentence",
    "TidingsError",
    "Tracker",
    "Update",
    "ValueUpdate",
    "__version__",
    "compare",
    "digest",
    "follow",
    "read_documents",
    "read_judgments",
    "read_run",
    "register_system",
    "score",
]


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"tidings.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
