"""A study of nuggets and clusters as one HTML file, in the dress and under the policy of the other pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tidings.judgments.study import Study
from tidings.report.charts import Chart
from tidings.report.comparison_words import Provenance
from tidings.report.study_charts import correlation_chart, pairs_chart
from tidings.report.study_tables import Section, sections
from tidings.report.study_words import METRIC_NAMES, headline

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["render_study"]


def render_study(study: Study, provenance: Provenance | None = None) -> str:
    """The whole page as text; the same study gives the same text."""
    from markupsafe import Markup

    from tidings import __version__
    from tidings.report.page import page_environment, page_policy, page_style

    style = page_style("comparison.css", "study.css")
    parts = {section.name: section for section in sections(study)}
    years = [
        _marked(correlation_chart(plot, f"year-{number}")) for number, plot in enumerate(study.correlations)
    ]
    topics = {
        METRIC_NAMES[metric].capitalize(): [
            _marked(pairs_chart(one, f"{metric}-{number}"))
            for number, one in enumerate(study.pairs)
            if one.metric == metric
        ]
        for metric in dict.fromkeys(one.metric for one in study.pairs)
    }
    return (
        page_environment()
        .get_template("study.html.j2")
        .render(
            s=study,
            version=__version__,
            style=Markup(style),  # noqa: S704 our own file
            policy=page_policy(style),
            headline=headline(study),
            parts=parts,
            shown=[(section, _tables(section)) for section in parts.values()],
            years=years,
            topics=topics,
            provenance=provenance or Provenance(),
        )
    )


def _tables(section: Section) -> list[tuple[str, list[tuple[str, bool]], list[list[str]]]]:
    # (caption, (heading, are these figures), rows as they are shown)
    return [
        (
            caption,
            [(heading, table.is_number(place)) for place, heading in enumerate(table.headings())],
            table.texts(),
        )
        for caption, table in section.tables
    ]


def _marked(chart: Chart) -> Chart:
    from markupsafe import Markup

    marked: Markup = Markup(chart.wide)  # noqa: S704 our own SVG
    return replace(chart, wide=marked, narrow=marked)
