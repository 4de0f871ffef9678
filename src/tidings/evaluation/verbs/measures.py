"""`tidings measures`: what can be measured, and what each measure means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tidings.core import described, form_of, need_folders, show, terminal_width, wrap_text

if TYPE_CHECKING:
    from tidings.evaluation.measures import MeasureInfo

Form = Literal["table", "markdown", "jsonl"]


@described(__file__)
def measures(
    names: list[str] | None = None,
    form: Form | None = None,
    out: str | None = None,
) -> None:
    """List the measures; given names, explain them: formula, unit, range, source, and what the official script does."""
    from tidings.evaluation.measures import every_measure, parse_measure

    shape = form_of(out, form, Form)
    need_folders(out)
    width = terminal_width() if out is None else None
    every = every_measure()
    asked = [parse_measure(name).name for name in names or ()]
    chosen = [info for name in asked for info in every.values() if info.name == name] or list(every.values())
    if shape == "jsonl":
        import msgspec

        lines = [msgspec.json.encode(info).decode() for info in chosen]
    elif shape == "markdown":
        lines = [_markdown(info) for info in chosen]
    elif names:
        lines = [_explain(info, width) for info in chosen]
    else:
        from tidings.core import Table, render

        rows = tuple((info.name, info.title, info.unit, _range(info), info.family) for info in chosen)
        table = Table(("measure", "title", "unit", "range", "family"), rows)
        lines = [render(table, width=width), "", *wrap_text(_HINT, width)]
    show("\n".join(lines), out)


_HINT = (
    "NAME@3600s is a measure over the first 3,600 seconds of an event, NAME@10 over the first 10 of a ranking; "
    "`tidings measures NAME` explains one."
)


def _range(info: MeasureInfo) -> str:
    high = "unbounded" if info.high is None else f"{info.high:g}"
    return f"{info.low:g} to {high}"


def _facts(info: MeasureInfo) -> list[tuple[str, str]]:
    facts = [
        ("formula", info.formula),
        ("meaning", info.meaning),
        ("unit", info.unit),
        ("range", f"{_range(info)}{f', {info.better} is better' if info.better else ''}"),
        ("silent run", "depends on the judgments" if info.empty != info.empty else f"{info.empty:g}"),
        ("source", info.source),
    ]
    if info.takes_rank:
        facts.append(("of the first K", f"{info.name}@K"))
    if info.official:
        facts.append(("official scorers", info.official))
    return facts


def _explain(info: MeasureInfo, width: int | None) -> str:
    longest = max(len(label) for label, _ in _facts(info))
    lines = wrap_text(f"{info.name}: {info.title}", width, 4)
    for label, text in _facts(info):
        lines += wrap_text(f"  {label.ljust(longest)}  {text}", width, longest + 4)
    return "\n".join(lines) + "\n"


def _markdown(info: MeasureInfo) -> str:
    lines = [f"### `{info.name}`: {info.title}", "", info.meaning, ""]
    lines += [
        f"- **{label}:** {f'`{text}`' if label == 'formula' else text}"
        for label, text in _facts(info)
        if label != "meaning"
    ]
    return "\n".join(lines) + "\n"
