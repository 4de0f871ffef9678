"""What a learned reader looks at, in words, in a terminal and as a picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from tests.sweeps import every
from tidings.research.report import (
    HOP_WORDS,
    attention_page,
    attention_spec,
    attention_svg,
    attention_terminal,
    describe_attention,
)

WORDS = ["This", "Saturday,", "mark", "the", "Hiroshima", "bombing."]
WEIGHTS = [[0.1, 0.7, 0.05, 0.05, 0.05, 0.05], [0.0, 0.0, 0.0, 0.0, 0.4, 0.6]]
HOSTILE = ["<script>", "\x1b[31m", "a\nb", "]]>", "&amp;", "x" * 500]


def test_terminal_without_colour():
    assert attention_terminal(WORDS, WEIGHTS, colour=False).splitlines() == [
        "hop 1",
        "  This 10%  Saturday, 70%  mark 5%  the 5%  Hiroshima 5%  bombing. 5%",
        "hop 2",
        "  This 0%  Saturday, 0%  mark 0%  the 0%  Hiroshima 40%  bombing. 60%",
    ]


def test_terminal_paints_the_heaviest_word_deepest():
    painted = attention_terminal(WORDS, WEIGHTS, colour=True)
    deepest = re.findall(r"\x1b\[48;5;30;38;5;231m(\S+)\x1b\[0m", painted)
    assert deepest == ["Saturday,", "bombing."]
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted).split() == ["hop", "1", *WORDS, "hop", "2", *WORDS]


@every("width", [20, 40, 80])
def test_terminal_keeps_to_its_width(width):
    plain = re.sub(r"\x1b\[[0-9;]*m", "", attention_terminal(WORDS * 5, [[1 / 30] * 30], width=width))
    assert max(map(len, plain.splitlines())) <= width


def test_in_words():
    assert describe_attention(WORDS, WEIGHTS).endswith("Hop 2 looks most at bombing. (60%), Hiroshima (40%).")


def test_heat_map_has_a_box_for_each_word_and_hop_within_its_width():
    spec = attention_spec(WORDS * 6, [[1 / 36] * 36] * 3, 280)
    boxes = spec["data"]["values"]
    assert len(boxes) == 3 * 36
    assert all(0 <= box["x"] < box["x2"] <= 280 and box["y2"] < spec["height"] for box in boxes)
    for one in boxes:
        for other in boxes:
            apart = (
                one["x2"] <= other["x"]
                or other["x2"] <= one["x"]
                or one["y2"] <= other["y"]
                or other["y2"] <= one["y"]
            )
            assert one is other or apart


def test_svg_is_well_formed_and_says_what_it_shows():
    root = ET.fromstring(attention_svg(WORDS, WEIGHTS))
    assert "Hiroshima" in "".join(root.itertext())
    assert root.find("{http://www.w3.org/2000/svg}desc").text == describe_attention(WORDS, WEIGHTS)


def test_hostile_words():
    page = attention_page(HOSTILE, [[1 / 6] * 6], "<b>&\x00", ["<i>"])
    assert "<script" not in page
    assert "<b>" not in page
    assert "\x1b" not in page
    assert "\x00" not in page
    assert "src=" not in page
    ET.fromstring(attention_svg(HOSTILE, [[1 / 6] * 6]))
    assert "\x1b[31m" not in attention_terminal(HOSTILE, [[1 / 6] * 6])


def test_a_long_word_is_cut_to_what_a_box_holds():
    said = describe_attention(["x" * 24, "y" * 25], [[0.5, 0.5]])
    assert "x" * 24 in said and "y" * 23 + "…" in said and "y" * 24 not in said


def test_page_says_what_a_hop_is_before_it_shows_one():
    page = attention_page(["ferry", "burns"], [[0.75, 0.25], [0.5, 0.5]], "fire")
    assert page.index(HOP_WORDS.split(".")[0]) < page.index("<figure>")
    assert '<th scope="col" class="number">hop 2</th>' in page
