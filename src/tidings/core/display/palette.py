"""One palette for pages and charts, in light and in dark; every text colour reads at 4.5:1 or better."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Colour:
    """A role and its colour on light and on dark paper (`#rrggbb`)."""

    name: str
    light: str
    dark: str


PALETTE: dict[str, Colour] = {
    colour.name: colour
    for colour in (
        Colour("paper", "#fbfaf6", "#12161a"),
        Colour("card", "#ffffff", "#1a1f25"),
        Colour("ink", "#1b2127", "#e9e7e1"),
        Colour("muted", "#5a626c", "#a4acb6"),
        Colour("line", "#dedad0", "#323941"),
        Colour("tide", "#0b6472", "#62c6d4"),
        Colour("tide-soft", "#dceef0", "#17343b"),
        Colour("violet", "#6b4aa0", "#bda6f0"),
        Colour("deaths", "#ae2418", "#ff9484"),
        Colour("deaths-soft", "#fbe4df", "#45201b"),
        Colour("injuries", "#875000", "#f0b656"),
        Colour("injuries-soft", "#f9ebcf", "#3d2d10"),
        Colour("early", "#1b6b38", "#79d29a"),
        Colour("told-soft", "#e3f1e4", "#1b3525"),
    )
}


def css_variables(scheme: str) -> str:
    """The palette as CSS custom properties, for `light` or `dark`.

    >>> css_variables("light").splitlines()[0]
    '--paper: #fbfaf6;'
    """
    return "\n".join(
        f"--{colour.name}: {colour.dark if scheme == 'dark' else colour.light};"
        for colour in PALETTE.values()
    )


def dark_chart_rules() -> str:
    """CSS rules that turn a chart drawn in the light palette into the dark one.

    Charts carry their colours as attributes, which any rule of a style sheet overrules.
    """
    return _chart_rules("dark")


def light_chart_rules() -> str:
    """CSS rules that hold a chart to the light palette, for paper, whatever the screen prefers."""
    return _chart_rules("light")


def _chart_rules(scheme: str) -> str:
    return "\n".join(
        f'.chart [{attribute}="{colour.light}"] {{ {attribute}: {getattr(colour, scheme)}; }}'
        for colour in PALETTE.values()
        for attribute in ("fill", "stroke")
    )
