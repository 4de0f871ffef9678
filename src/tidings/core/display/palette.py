"""One palette for pages and charts, in light and in dark; every text colour reads at 4.5:1 or better."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.core.files.data import data_beside


@dataclass(frozen=True, slots=True)
class Colour:
    """A role and its colour on light and on dark paper (`#rrggbb`)."""

    name: str
    light: str
    dark: str


PALETTE = {name: Colour(name, *shades) for name, shades in data_beside(__file__)["colours"].items()}


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
