"""Pages: templates and the files that they link to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from tidings.core import Clock, clean, css_variables, duration_words, language_attributes, safe_url, set_apart

_HERE = Path(__file__).parent


def _no_filters() -> Mapping[str, Callable[..., Any]]:
    return {}


@dataclass(frozen=True, slots=True)
class SitePart:
    """What one of the sites has of its own: `templates` and `static` in its folder, and filters of its templates."""

    folder: Path
    filters: Callable[[], Mapping[str, Callable[..., Any]]] = _no_filters


@cache
def _environment(part: SitePart) -> Environment:
    # A part's own templates go before those that all parts share.
    made = Environment(
        loader=FileSystemLoader([part.folder / "templates", _HERE / "templates"]),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["static"] = partial(static_path, part)
    made.filters["json_block"] = json_block
    made.filters["markdown"] = markdown
    clock = Clock()
    made.filters.update(
        apart=set_apart,
        clean=clean,
        duration=duration_words,
        iso=clock.iso,
        safe_url=safe_url,
        urlencode_all=_as_part_of_an_address,
        when=clock.moment,
        written_in=language_attributes,
    )
    made.filters.update(part.filters())
    return made


def _as_part_of_an_address(text: str) -> str:
    return quote(text, safe="", errors="replace")


def root_of(request: Request) -> str:
    """What stands before every address of the site where a proxy serves it under a path (else "")."""
    return str(request.scope.get("root_path", ""))


def page(request: Request, template: str, /, status_code: int = 200, **context: Any) -> HTMLResponse:
    """An answer made of a template; it knows who is signed in as `visitor` (or None).

    `root` is what `root_of` gives.
    """
    visitor = getattr(request.state, "visitor", None)
    text = (
        _environment(request.app.state.part)
        .get_template(template)
        .render(request=request, visitor=visitor, root=root_of(request), **context)
    )
    return HTMLResponse(text, status_code=status_code)


def compile_templates(part: SitePart) -> None:
    """Compile all templates of a site, which else happens when each is first shown."""
    made = _environment(part)
    for name in made.list_templates():
        made.get_template(name)


def json_block(value: Any) -> Markup:
    """A value as JSON for a data block of a page: nothing in it can end the block.

    >>> str(json_block({"text": "</script><b>"}))
    '{"text":"\\\\u003c/script\\\\u003e\\\\u003cb\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704 - what could end the block is escaped


@cache
def _markdown_parser() -> Any:
    from markdown_it import MarkdownIt

    # HTML of the writer's stays text; addresses that could run something are no links (its rule, `js-default`).
    return MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")


_MOST_BRACKETS, _MOST_CHARS = 2_000, 100_000  # more is shown as it was written: Markdown would take too long
_KEPT_TEXTS = 64  # texts whose HTML is kept


@lru_cache(_KEPT_TEXTS)
def markdown(text: str) -> Markup:
    """Markdown as HTML: tags in it stay text, and pictures, which could tell others who reads, are none.

    >>> str(markdown("**Judge** <b>all</b> [x](javascript:alert)")).strip()
    '<p><strong>Judge</strong> &lt;b&gt;all&lt;/b&gt; [x](javascript:alert)</p>'

    Each text is read once. One that would take seconds (each bracket may begin a link, and is followed to
    its end) is shown as it is.
    """
    if len(text) > _MOST_CHARS or text.count("[") > _MOST_BRACKETS:
        return Markup("<pre>{}</pre>").format(text)
    return Markup(_markdown_parser().render(text))  # noqa: S704 - the parser escapes what it is given


def static_path(part: SitePart, name: str) -> str:
    """The address of one of a part's files; it changes when any of them does, so that browsers may keep it forever."""
    return f"/static/{static_digest(part)}/{name}"


@cache
def static_files(part: SitePart) -> dict[str, Path]:
    """The files that a part's pages may ask for, by name: its own, and those that all parts share."""
    folders = (_HERE / "static", part.folder / "static")
    return {path.name: path for folder in folders for path in sorted(folder.iterdir())}


@cache
def static_digest(part: SitePart) -> str:
    """A digest of all of them: scripts find each other in the same folder."""
    digest = sha256()
    for name, path in sorted(static_files(part).items()):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def style_of_colours() -> str:
    """The palette as a style sheet: light, dark, or what the reader's system says."""
    light, dark = (" ".join(css_variables(scheme).split("\n")) for scheme in ("light", "dark"))
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f":root[data-theme=light] {{ color-scheme: light; {light} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
        f"@media print {{ :root, :root[data-theme=dark] {{ color-scheme: light; {light} }} }}\n"
    )
