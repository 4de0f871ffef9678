"""What experiments give, for people to read: tables, learning curves, and what `hres` looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tidings.core import PALETTE, clean
from tidings.evaluation import (
    FONT,
    WIDE,
    Chart,
    Spec,
    boxed,
    fill_template,
    layer,
    make_chart,
    picture,
    quantity,
    whole,
)

Rows = Sequence[Mapping[str, float]]


def mean_curve(trainings: Sequence[Rows], figure: str) -> list[tuple[float, float, int]]:
    """(step, mean of the figure, how many trainings) at every step that at least half of the trainings reached.

    >>> longer = [{"step": 0, "H": 0.2}, {"step": 1, "H": 0.4}]
    >>> mean_curve([longer, longer[:1], longer[:1]], "H")
    [(0, 0.2, 3)]
    """
    values: dict[float, list[float]] = {}
    for rows in trainings:
        for place, row in enumerate(rows):
            if figure in row:
                values.setdefault(row.get("step", place), []).append(row[figure])
    least = len(trainings) / 2
    return [
        (at, round(sum(many) / len(many), 6), len(many))
        for at, many in sorted(values.items())
        if len(many) >= least
    ]


def choose_figure(trainings: Sequence[Rows], figure: str) -> tuple[str, str]:
    """Which figure of these trainings to draw, and what its axis is called.

    A training that is paid by a reward is drawn by that reward; any other by the figure, on the events set aside where
    it tells them apart from those learned from.

    >>> choose_figure([[{"step": 0, "H": 0.2, "reward": 0.3}]], "H")
    ('reward', 'reward on the events learned from')
    >>> choose_figure([[{"step": 0, "H": 0.2}]], "H")
    ('H', 'H on the events that stop training')
    """
    keys = {key for rows in trainings for row in rows for key in row}
    if "reward" in keys:
        return "reward", "reward on the events learned from"
    apart = f"development {figure}"
    return (apart if apart in keys else figure), f"{figure} on the events that stop training"


def curve_spec(system: str, trainings: Sequence[Rows], figure: str) -> Spec:
    """The Vega-Lite specification of one system's curves."""
    figure, title = choose_figure(trainings, figure)
    points = [
        {"step": row.get("step", place), "value": row[figure], "training": number}
        for number, rows in enumerate(trainings)
        for place, row in enumerate(rows)
        if figure in row
    ]
    means = [{"step": at, "value": value} for at, value, _ in mean_curve(trainings, figure)]
    lines = [
        layer(
            points, {"detail": {"field": "training", "type": "nominal"}}, "line", strokeWidth=0.8, opacity=0.5
        ),
        layer(means, {}, "line", strokeWidth=2.5, point=True),
    ]
    for line, colour in zip(lines, ("muted", "tide"), strict=True):
        line["mark"]["color"] = PALETTE[colour].light
    encoding = {
        "x": quantity("step", {"title": "step of training", "tickMinStep": 1}),
        "y": quantity("value", {"title": title, "minExtent": 34}, zero=False),
    }
    spec: Spec = {"width": WIDE, "height": 220, "encoding": encoding, "layer": lines}
    many = f"{len(trainings)} trainings" if len(trainings) > 1 else "one training"
    return boxed(
        spec, f"{clean(system)}: {many} and their mean" if len(trainings) > 1 else f"{clean(system)}: {many}"
    )


def curve_files(system: str, trainings: Sequence[Rows], figure: str) -> list[tuple[str, bytes]]:
    """(ending of the file's name, content) of the chart as SVG and as PNG; none where no row has the figure."""
    shown, _ = choose_figure(trainings, figure)
    if not any(shown in row for rows in trainings for row in rows):
        return []
    spec = curve_spec(system, trainings, figure)
    return [(ending, picture(spec, ending)) for ending in (".svg", ".png")]


Weights = Sequence[Sequence[float]]

_LETTER, _GAP, _LINE, _HEAD = 7.4, 5.0, 24.0, 22.0
_LONGEST = 24
_STEPS = 5
HOP_WORDS = (
    "A hop is one of several looks at the sentence, all taken at once and knowing the query. Each spreads 100 % of its "
    "attention over the words, in a way of its own that training gave it; what all hops see together is what it knows "
    "of the sentence."
)
"""What "hop" means, for readers who have not met the word."""
COLOUR_WORDS = (
    "The deeper the color of a word, the more the hop looks at it. The heaviest word of each hop has the deepest; "
    "words with less than a sixth of its weight are gray. Colors compare the words of one hop, not the hops."
)
"""What the colours of the terminal mean."""


def attention_terminal(
    words: Sequence[str], weights: Weights, *, colour: bool = True, width: int = 80
) -> str:
    """The sentence once for each hop: as coloured words, or without colour as words with their weights in percent.

    >>> print(attention_terminal(["ferry", "burns"], [[0.75, 0.25]], colour=False))
    hop 1
      ferry 75%  burns 25%
    """
    shown = [_short(word) for word in words]
    lines = []
    for number, row in enumerate(weights, 1):
        lines.append(f"hop {number}")
        top = max([*row, 1e-9])
        parts = []
        for word, weight in zip(shown, row, strict=True):
            said = word if colour else f"{word} {weight:.0%}"
            parts.append((len(said), _paint(said, weight / top) if colour else said))
        lines += _wrap(parts, 1 if colour else 2, width)
    return "\n".join(lines)


def describe_attention(words: Sequence[str], weights: Weights) -> str:
    """In words: the heaviest words of each hop.

    >>> describe_attention(["the", "ferry", "burns"], [[0.0, 0.7, 0.3]])
    'Hop 1 looks most at ferry (70%), burns (30%).'
    """
    sentences = []
    for number, row in enumerate(weights, 1):
        best = sorted(range(len(row)), key=lambda n: -row[n])[:4]
        heaviest = ", ".join(f"{_short(words[n])} ({row[n]:.0%})" for n in best if row[n] >= 0.005)
        sentences.append(f"Hop {number} looks most at {heaviest}.")
    return " ".join(sentences)


def attention_spec(words: Sequence[str], weights: Weights, width: int = WIDE) -> Spec:
    """The Vega-Lite specification of the heat map: the running sentence, once for each hop, words on their colour."""
    cells, heads, y = [], [], 0.0
    for number, row in enumerate(weights, 1):
        heads.append({"x": 0, "y": y + 11, "t": f"hop {number}"})
        y += _HEAD
        x, top = 0.0, max([*row, 1e-9])
        for word, weight in zip(words, row, strict=True):
            label = _short(word)
            wide = min(float(width), len(label) * _LETTER + 8)
            if x and x + wide > width:
                x, y = 0.0, y + _LINE
            # The text turns white where the colour grows dark.
            cells.append(
                {
                    "x": x,
                    "x2": x + wide,
                    "y": y,
                    "y2": y + _LINE - 3,
                    "m": x + wide / 2,
                    "c": y + _LINE / 2 - 1,
                    "w": round(weight, 4),
                    "s": round(weight / top, 4),
                    "t": label,
                    "dark": weight / top > 0.8,
                }
            )
            x += wide + _GAP
        y += _LINE + 8

    def text(x: str, y: str, colour: Spec, **mark: object) -> Spec:
        encoding = {
            "x": _place(x),
            "y": _place(y),
            "text": {"field": "t", "type": "nominal"},
            "color": colour,
        }
        return {"mark": {"type": "text", "font": FONT, "baseline": "middle", **mark}, "encoding": encoding}

    ink, deep = PALETTE["ink"].light, PALETTE["tide"].light
    colour = quantity("s", domain=[0, 1], range=["#ffffff", deep], interpolate="rgb") | {"legend": None}
    corners = {"x": _place("x"), "x2": {"field": "x2"}, "y": _place("y"), "y2": {"field": "y2"}}
    boxes: Spec = {"mark": {"type": "rect", "cornerRadius": 3}, "encoding": {**corners, "color": colour}}
    on_dark = {"condition": {"test": "datum.dark", "value": "#ffffff"}, "value": ink}
    texts = text("m", "c", on_dark, fontSize=13)
    titles = text("x", "y", {"value": PALETTE["muted"].light}, fontSize=11.5, align="left")
    titles["data"] = {"values": heads}
    return whole({"width": width, "height": y, "data": {"values": cells}, "layer": [boxes, texts, titles]})


def _place(field: str) -> Spec:
    # Where it stands on the picture, in its own units.
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


def attention_svg(words: Sequence[str], weights: Weights) -> str:
    """The heat map as SVG: no styles, no scripts, nothing from outside."""
    return _chart(words, weights).wide


def attention_page(words: Sequence[str], weights: Weights, query: str, notes: Sequence[str] = ()) -> str:
    """A page that needs nothing beside itself: both widths of the heat map, and the weights as a table."""
    rows = [(_short(word), [f"{row[n]:.1%}" for row in weights]) for n, word in enumerate(words)]
    return fill_template(
        "attention.html.j2",
        query=query,
        notes=notes,
        words=HOP_WORDS,
        chart=_chart(words, weights),
        hops=range(1, len(weights) + 1),
        rows=rows,
    )


def _chart(words: Sequence[str], weights: Weights) -> Chart:
    said = describe_attention(words, weights)
    return make_chart(
        "attention", "What each hop looks at", said, (), lambda width: attention_spec(words, weights, width)
    )


def _short(word: str) -> str:
    plain = clean(word)
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def _paint(word: str, share: float) -> str:
    step = min(_STEPS, int(share * (_STEPS + 0.999)))
    if step == 0:
        return f"\x1b[2m{word}\x1b[0m"
    # Steps of the 256-colour cube from a pale to a deep blue-green; white letters on the dark ones.
    background = (195, 152, 116, 73, 30)[step - 1]
    return f"\x1b[48;5;{background};38;5;{16 if step < 4 else 231}m{word}\x1b[0m"


def _wrap(parts: Sequence[tuple[int, str]], gap: int, width: int) -> list[str]:
    lines: list[str] = []
    line: list[str] = []
    used = 2
    for size, word in parts:
        if line and used + size > width:
            lines.append("  " + (" " * gap).join(line))
            line, used = [], 2
        line.append(word)
        used += size + gap
    return [*lines, "  " + (" " * gap).join(line)]
