"""A study of nuggets and clusters as one HTML file, in the dress and under the policy of the other pages."""

from __future__ import annotations

from tidings.evaluation.report.comparison_words import Provenance
from tidings.evaluation.report.sections import marked, page_tables
from tidings.evaluation.report.study_charts import correlation_chart, pairs_chart
from tidings.evaluation.report.study_tables import sections
from tidings.evaluation.report.study_words import METRIC_NAMES, headline
from tidings.evaluation.study import Study

__all__ = ["render_study"]


def render_study(study: Study, provenance: Provenance | None = None) -> str:
    """The whole page as text; the same study gives the same text."""
    from markupsafe import Markup

    from tidings import __version__
    from tidings.evaluation.report.page import page_environment, page_policy, page_style

    style = page_style("comparison.css", "study.css")
    parts = {section.name: section for section in sections(study)}
    years = [
        marked(correlation_chart(plot, f"year-{number}")) for number, plot in enumerate(study.correlations)
    ]
    topics = {
        METRIC_NAMES[metric].capitalize(): [
            marked(pairs_chart(one, f"{metric}-{number}"))
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
            shown=[(section, page_tables(section)) for section in parts.values()],
            years=years,
            topics=topics,
            provenance=provenance or Provenance(),
        )
    )
