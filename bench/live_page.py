"""From a commit to the page: how long until Chromium shows an update of an event that it has open.

    python -m bench.live_page [--updates N]

A thread of this process serves a store in SQLite with the settings that hold by default; another commits an update
every tenth to half of a second (at random, seeded). The page notes when it inserted each (MutationObserver).
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.live.pages.sites import FERRY, live_in, served, update

CHROMIUM = os.environ.get("TIDINGS_CHROMIUM", "/usr/bin/chromium")
WATCH = """
window.shown = {};
new MutationObserver((changes) => {
  for (const change of changes)
    for (const node of change.addedNodes)
      if (node.dataset?.seq) window.shown[node.dataset.seq] = Date.now() / 1000;
}).observe(document.getElementById("updates"), { childList: true });
"""


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--updates", type=int, default=100)
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    chance = random.Random(17)
    with (
        tempfile.TemporaryDirectory() as folder,
        live_in(str(Path(folder) / "a.db")) as site,
        served(site) as address,
        sync_playwright() as running,
    ):
        site.tell(*(update(n) for n in range(1, 51)))
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page: Any = browser.new_page()
        page.goto(f"{address}/events/ferry")
        page.wait_for_selector("#live-state:has-text('live')")
        page.evaluate(WATCH)
        committed = {}
        for number in range(51, 51 + given.updates):
            (seq,) = site.tell(update(number))
            committed[seq] = time.time()
            page.wait_for_timeout(chance.uniform(100, 500))
        page.wait_for_timeout(2000)
        shown = {int(seq): moment for seq, moment in page.evaluate("window.shown").items()}
        assert set(shown) == set(committed), "each is shown, and once"
        delays = sorted(shown[seq] - moment for seq, moment in committed.items())
        late = sum(1 for delay in delays if delay > 1)
        print(
            f"{FERRY.title}: {len(delays)} updates; from the commit to the page: median {median(delays):.3f} s, "
            f"95 % within {delays[int(0.95 * len(delays))]:.3f} s, longest {delays[-1]:.3f} s; {late} later than 1 s"
        )
        browser.close()


if __name__ == "__main__":
    main()
