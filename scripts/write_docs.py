"""Write the pages that are generated from the code: `make docs`; with --check, only say whether they are up to date."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

from api_reference import reference
from live_reference import live_reference

from tidings.cli import run
from tidings.following.entities.features import ENTITY_FEATURES
from tidings.following.entities.features.table import described

DOCS = Path(__file__).parents[1] / "docs"

MEASURES = """\
# Measures

Every measure that tidings computes, as `tidings measures --format markdown` prints it. This page is written by
`make docs`; edit the code, not the page.

A measure is written as below, or cut off in time: `C@3600` is comprehensiveness over the updates told in the first
3,600 seconds of the event (formula 17 of the 2013 paper: S_tau holds updates with u.t < tau). Those of a ranking are
cut off at a rank, as `P@3`, where this page says so. Notation: S the updates
of one run for one event, N the nuggets, n.t and n.i a nugget's time and importance, u.t an update's time,
R(n) = exp(n.i) / exp(3) (binary: 1), L(n.t, u.t) = 1 - (2/pi) arctan((u.t - n.t) / 21600 s), G(u,S) the sum of R over
the nuggets that u is the first to tell. In the family `rts`, G(t) is the gain of a tweet: 0.5
relevant, 1 highly relevant, 0 when its cluster was told before; a silent day is one without relevant tweets.

What the rule sets `paper-2013`, `trec-2013`, `trec-2014` and `trec-2015` do differently is told in
[scoring.md](scoring.md#rule-sets).

"""


FEATURES_HEAD = """\
# Features of a day's entities

What an entity's place on a day is learned from ([entities.md](entities.md#how-salient)): the features of the paper
"Balancing Novelty and Salience" (Tran and others 2015, its Table 1), and those that tidings adds. This page is written
by `make docs` from `tidings.following.entities.features`; edit the code, not the page.

A *context* is a sentence that mentions the entity, a *label* what stands there for it (`Obama`, `Barack Obama`), a
*term* a word that is no stop word, by its stem. The *day before* is the last earlier day that had news. A feature of
contexts is taken to the entity by its mean over the mentions, weighted by the confidence of their documents,
Σ κ f / Σ κ; one of labels by its mean over the labels. Then each column is replaced by quantiles within the day: 0 for
the least value, 1 for the greatest, ties in the middle; `raw` keeps what was computed. (The paper normalises the single
values and then takes the means.) *reconstructed* says that the paper leaves a part open, which was chosen here.

"""


def output_of(*arguments: str) -> str:
    """What a command of tidings prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = run(list(arguments))
    if code:
        raise SystemExit(code)
    return printed.getvalue()


def pages() -> dict[Path, str]:
    """Each generated page with its text."""
    return {
        DOCS / "measures.md": MEASURES + output_of("measures", "--format", "markdown").rstrip() + "\n",
        DOCS / "api.md": reference(),
        DOCS / "api-live.md": live_reference(),
        DOCS / "entity-features.md": FEATURES_HEAD + described(ENTITY_FEATURES).rstrip() + "\n",
    }


def main() -> int:
    """Write or check."""
    stale = [path for path, text in pages().items() if not path.is_file() or path.read_text() != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.name} is not what the code would write: run `make docs`")
        return 1 if stale else 0
    for path in stale:
        path.write_text(pages()[path])
        print(f"wrote {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
