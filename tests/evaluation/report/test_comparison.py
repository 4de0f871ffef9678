"""A comparison on paper and on a page: what its figures are, and what hostile names can do to it."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import msgspec
import pytest

from tests.sweeps import every
from tidings.core.display.tables import render
from tidings.core.errors import UsageError
from tidings.evaluation.measures import Measure, MeasureInfo, RunScores
from tidings.evaluation.measures.run_comparison import Comparison, Settings, compare_scores
from tidings.evaluation.report.comparison import Extras, chart_files, drawings, render_comparison, run_labels
from tidings.evaluation.report.comparison_tables import (
    Provenance,
    comparison_json,
    comparison_rows,
    finding,
    method,
    print_comparison,
    silence,
    topics_table,
)

G, V, N = Measure("G"), Measure("V"), Measure("N")
INFOS = {
    name: MeasureInfo(name, f"title of {name}", "", "", "", -9.0, None, 0.0, better, "made", "")
    for name, better in (("G", "higher"), ("V", "lower"), ("N", ""))
}
HOSTILE = '<script>x</script>" onload="y" \x1b[31m_&%$'
FAST = Settings(samples=300, resamples=200)
LOW = (0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.2, 0.15)
HIGH = tuple(value + 0.1 + 0.01 * number for number, value in enumerate(LOW))


def scored(name: str, values: tuple[float, ...], silent: tuple[str, ...] = ()) -> RunScores:
    per_event = {f"T.{number}": {G: value, V: 1 - value, N: value} for number, value in enumerate(values)}
    return RunScores("team", name, (G, V, N), per_event, silent=silent)


def example(other: str = "high", settings: Settings = FAST) -> Comparison:
    runs = [scored("low", LOW), scored(other, HIGH), scored("same", (*LOW[:-1], 0.0), ("T.7",))]
    return compare_scores(runs, INFOS, "low", settings)


EXTRAS = Extras(
    ((3.0,) * 8, (30.0,) * 8, (9.0,) * 7 + (0.0,)),
    "updates",
    tuple({"T.0": [(0, 0.0), (3600, 0.2 * one), (7200, 0.2 * one)]} for one in (1, 2, 3)),
)


class Page(HTMLParser):
    """Tags, attributes and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


class TestWords:
    def test_the_finding_names_who_is_better_by_how_much_and_how_surely(self) -> None:
        said = finding(example(), example().measures[0])
        assert said == (
            "By G (p after Holm's correction), high (+0.1350, p = .0156) is significantly better than low. "
            "No significant difference from low: same (−0.0187, p = 1)."
        )

    def test_less_is_better_where_the_measure_says_so(self) -> None:
        assert "high (−0.1350, p = .0156) is significantly better" in finding(
            example(), example().measures[1]
        )

    def test_nothing_is_better_where_neither_way_is(self) -> None:
        said = finding(example(), example().measures[2])
        assert "better" not in said
        assert "high (+0.1350, p = .0156) is significantly different from low." in said
        assert "No significant difference from low: same" in said

    def test_the_method_states_counts_and_seeds(self) -> None:
        said = " ".join(method(example()))
        assert "all 256 assignments of signs are counted (exact)" in said
        assert "300 shuffles (seed 0)" in said
        assert "(BCa) bootstrap over topics, 200 resamples" in said

    def test_the_method_says_when_signs_were_drawn(self) -> None:
        many = tuple(0.01 * number for number in range(40))
        runs = [scored("a", many), scored("b", tuple(value**2 - 0.003 for value in many))]
        assert "300 random assignments of signs are drawn (seed 0)" in " ".join(
            method(compare_scores(runs, INFOS, None, FAST))
        )

    def test_the_method_warns_of_intervals_over_few_topics_where_they_are_too_narrow(self) -> None:
        studentized = example(settings=Settings(samples=300, resamples=200, interval="studentized"))
        assert "too narrow" in " ".join(method(example()))
        assert "too narrow" not in " ".join(method(studentized))

    def test_silence_is_named(self) -> None:
        assert silence(example()) == ["same is silent on 1 of 8 topics (T.7): counted as silence there."]


class TestTables:
    def test_the_table_has_scores_differences_and_notes(self) -> None:
        text = print_comparison(example(), Provenance())
        assert "b  high            0.3038 ac  0.6962 ac  0.3038" in text
        line = next(line for line in text.splitlines() if line.startswith("high"))
        assert line.split()[:3] == ["high", "0.3038", "+0.1350"]
        assert "8/0/0" in line
        assert ".0078" in line
        assert "* same is silent on 1 of 8 topics" in text

    def test_the_rows_have_a_cell_for_each_head_and_none_of_the_baseline(self) -> None:
        table = comparison_rows(example())
        assert {len(row) for row in table.rows} == {len(table.columns)}
        (of_low, of_high, _) = table.rows[:3]
        assert of_low[:3] == ("G", "low", "low") and set(of_low[4:]) == {""}
        assert of_high[1] == "high" and of_high[4] == pytest.approx(0.135) and of_high[-3:] == (8, 0, 0)

    def test_markdown_marks_the_best_and_raises_the_letters(self) -> None:
        assert "| b | high | **0.3038**<sup>ac</sup> |" in print_comparison(
            example(), Provenance(), "markdown"
        )

    def test_latex_is_ready_for_a_paper(self) -> None:
        text = print_comparison(example("a_b"), Provenance(), "latex")
        assert r"b & a\_b & $\mathbf{0.3038}^{ac}$" in text
        assert r"95 \% interval" in text
        assert "−" not in "".join(line for line in text.splitlines() if not line.startswith("%"))
        assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 4

    def test_topics_show_who_was_silent(self) -> None:
        text = render(topics_table(example(), example().measures[0]))
        assert "0.0000 (silent)" in text.splitlines()[-1]
        assert len(text.splitlines()) == 10
        assert "G by topic" in print_comparison(example(), Provenance(), per_topic=True)

    def test_json_holds_every_figure_unrounded(self) -> None:
        found = msgspec.json.decode(
            msgspec.json.encode(comparison_json(example(), Provenance("tidings compare")))
        )
        measure = found["measures"][0]
        pair = measure["against_baseline"][0]
        assert pair["mean_difference"] == pytest.approx(sum(pair["differences"].values()) / 8)
        assert pair["p_randomization"] == 2 / 2**8
        assert (pair["exact"], pair["arrangements"]) == (True, 256)
        assert measure["beats"] == {"low": [], "high": ["low", "same"], "same": []}
        assert measure["means"]["high"] == pytest.approx(sum(HIGH) / 8)
        assert found["runs"][2]["silent"] == ["T.7"]

    def test_names_that_are_no_utf8_do_not_break_json(self) -> None:
        assert b"\xef\xbf\xbd" in msgspec.json.encode(comparison_json(example("\udcff"), Provenance()))

    def test_an_unknown_form_is_refused(self) -> None:
        with pytest.raises(UsageError, match="known are"):
            print_comparison(example(), Provenance(), "pdf")


class TestCharts:
    def test_there_is_one_for_each_question(self) -> None:
        names = [one.name for one in drawings(example(), example().measures[0], EXTRAS)]
        assert names == ["intervals", "topics-2", "topics-3", "size", "time"]
        assert [one.name for one in drawings(example(), example().measures[0], Extras())] == names[:3]

    def test_files_are_pictures(self) -> None:
        files = dict(chart_files(example(HOSTILE), EXTRAS))
        assert set(files) == {
            f"{name}.{kind}"
            for name in ("intervals", "topics-2", "topics-3", "size", "time")
            for kind in ("svg", "png")
        }
        assert all(content.startswith(b"\x89PNG") for name, content in files.items() if name.endswith("png"))
        assert all(b"<script" not in content for name, content in files.items() if name.endswith("svg"))

    def test_labels_stay_apart(self) -> None:
        long = "x" * 40
        runs = [scored(long + "1", LOW), scored(long + "2", HIGH)]
        labels = run_labels(compare_scores(runs, INFOS, None, FAST))
        assert len(set(labels)) == 2
        assert max(map(len, labels)) <= 28

    def test_a_curve_says_where_it_ends(self) -> None:
        time = next(one for one in drawings(example(), example().measures[0], EXTRAS) if one.name == "time")
        assert time.words == "Mean over 1 topic; in the end low 20 %, high 40 %, same 60 %."


class TestPage:
    def test_shows_what_the_tables_say(self) -> None:
        text = Page(
            render_comparison(example(), Provenance("tidings compare a b", "judged", "trec-2014"), EXTRAS)
        ).text
        for said in (
            "2 runs against low",
            "0.3038",
            "ac",
            "+0.1350",
            "8/0/0",
            ".0078",
            "tidings compare a b",
            "judged",
        ):
            assert said in text

    def test_hostile_names_stay_text(self) -> None:
        page = render_comparison(
            example(HOSTILE),
            Provenance(HOSTILE, HOSTILE, HOSTILE, ((HOSTILE, HOSTILE),), ((HOSTILE, "0"),), (HOSTILE,)),
        )
        found = Page(page)
        assert not {"script", "img", "iframe", "object", "foreignobject"} & {tag for tag, _ in found.tags}
        assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
        assert "\x1b" not in page
        assert "<script>x</script>" in found.text

    def test_asks_for_nothing_and_forbids_everything(self) -> None:
        page = render_comparison(example(), None, EXTRAS)
        found = Page(page)
        policy = next(one["content"] for tag, one in found.tags if tag == "meta" and one.get("http-equiv"))
        assert policy is not None and policy.startswith("default-src 'none'; style-src 'sha256-")
        targets = [one[name] for _, one in found.tags for name in ("href", "src") if name in one]
        assert all(target is not None and target[0] in "#d" for target in targets)
        assert "style=" not in re.sub(r"<style>.*?</style>", "", page, flags=re.S)

    def test_the_same_comparison_gives_the_same_page(self) -> None:
        assert render_comparison(example(), None, EXTRAS) == render_comparison(example(), None, EXTRAS)

    def test_ids_are_unique_and_links_lead_somewhere(self) -> None:
        tags = Page(render_comparison(example(), None, EXTRAS)).tags
        ids = [one["id"] for _, one in tags if "id" in one]
        assert len(ids) == len(set(ids))
        links = {one["href"][1:] for tag, one in tags if tag == "a" and one["href"]}
        assert links <= set(ids)

    @every("lacking", [1, 8])
    def test_topics_without_a_finite_value_leave_the_rest_standing(self, lacking: int) -> None:
        broken = (math.nan,) * lacking + HIGH[lacking:]
        found = compare_scores([scored("low", LOW), scored("broken", broken)], INFOS, None, FAST)
        page = render_comparison(found, None, Extras(EXTRAS.sizes[:2], "updates", EXTRAS.curves[:2]))
        assert "no finite value there" in page
        assert "NaN" not in Page(page).text
        assert print_comparison(found, Provenance(), per_topic=True)

    def test_many_runs_and_one_topic(self) -> None:
        runs = [scored(str(number), (number / 20,)) for number in range(16)]
        found = compare_scores(runs, INFOS, None, FAST)
        page = render_comparison(found)
        assert "15 runs against 0" in page
        assert "One topic is too few" in page
        pair = comparison_json(found, Provenance())["measures"][0]["against_baseline"][0]
        assert (pair["interval"], pair["cohens_d"], pair["p_t"], pair["p_randomization"]) == (
            None,
            None,
            None,
            1,
        )
