"""How the time for hostile texts grows: what reads texts, and every regular expression of the source.

python -m bench.growth [NAME…]      a table of those whose name holds one of these words
python -m bench.growth --write      try the expressions that are not listed yet, and list those that pass
"""

from __future__ import annotations

import sys

from tests.growing_functions import FUNCTIONS
from tests.growth import LISTING, expressions, grows_too_fast, read_listing, worst_growth

_LENGTH = 20_000


def main(args: list[str]) -> int:
    """Print the table, or write the listing; 1 where an expression grows too fast to be listed."""
    if args == ["--write"]:
        return _write()
    print(
        f"{'what':44} {'worst seed':22} {'n (ms)':>8} {'2n (ms)':>8} {'4n (ms)':>8} {'exponent':>8}   n = {_LENGTH:,}"
    )
    measured = FUNCTIONS | {one.line: one.run for one in expressions() if one.pattern is not None}
    for name, call in measured.items():
        if args and not any(word in name for word in args):
            continue
        growth = worst_growth(name, call, _LENGTH)
        times = " ".join(f"{1000 * took:8.2f}" for took in growth.times_s)
        print(f"{name[:44]:44} {growth.seed[:22]:22} {times} {growth.exponent:8.2f}", flush=True)
    return 0


def _write() -> int:
    listed = set(read_listing()) if LISTING.exists() else set()
    kept: set[str] = set()
    failed = 0
    for one in expressions():
        fast = [] if one.line in listed or one.pattern is None else grows_too_fast(one.run, 8_000)
        if fast:
            failed = 1
            print(f"{one.line}\n    grows faster than its text on {', '.join(fast)}")
        else:
            kept.add(one.line)
    LISTING.write_text("".join(f"{line}\n" for line in sorted(kept)), encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
