"""What every page that is written into a file keeps to, whatever it shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sweeps import every
from tests.web.browser.chromium import PAINTED

__all__ = ["CONTRAST", "SoundPage", "opened"]

CONTRAST = """() => {
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = node => {
    for (; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour.length && (colour.length < 4 || colour[3] === 1)) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.getClientRects().length || node.closest('title, desc')) continue;
    const style = getComputedStyle(node);
    const colour = parse(node.closest('svg') ? style.fill : style.color);
    const [low, high] = [light(colour), light(ground(node))].sort((a, b) => a - b);
    seen += 1;
    const ratio = (high + .05) / (low + .05);
    if (ratio < 4.5) poor.push([walker.currentNode.data.trim().slice(0, 30), ratio.toFixed(2)]);
  }
  return {seen, poor};
}"""


@pytest.fixture
def opened(browser: Any, page_file: Path) -> Iterator[Any]:
    """The page in a fresh tab, with what it asked for and complained about noted."""
    page = browser.new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(page_file.as_uri(), wait_until="load")
    yield page
    page.close()


class SoundPage:
    """Tests to inherit; the file is the fixture `page_file`."""

    least_words = 100

    def test_asks_for_nothing_but_itself_and_complains_of_nothing(self, opened: Any, page_file: Path) -> None:
        opened.evaluate(PAINTED)
        assert [url for url in opened.asked if not url.startswith("data:")] == [page_file.as_uri()]
        assert opened.said == []

    @every("width", [320, 360, 768, 1200])
    def test_never_scrolls_sideways(self, opened: Any, width: int) -> None:
        opened.set_viewport_size({"width": width, "height": 740})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width

    @every("scheme", ["light", "dark"])
    def test_every_word_stands_out_from_its_ground(self, opened: Any, scheme: str) -> None:
        opened.emulate_media(color_scheme=scheme)
        found = opened.evaluate(CONTRAST)
        assert found["seen"] > self.least_words
        assert found["poor"] == []
