"""tidings: follow events through streams of documents, and measure how well it is done.

What programs use stands here and is loaded when it is first asked for:

- `follow` and `Tracker` follow events; `Document`, `Event`, `Sentence`, `Update`, `Run` are what they take and give;
- `digest` tells the story so far, by days: a `Digest`;
- `score` and `compare` measure runs against judgments;
- `read_documents`, `read_judgments`, `read_run` read files (a run from a store, too);
- `register_system` makes a class of yours a system; `TidingsError` is the parent of all errors that can be mended.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, _names, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]
__all__.remove("bundled")  # a module, for examples


def __dir__() -> list[str]:
    return sorted({*globals(), *_names()})
