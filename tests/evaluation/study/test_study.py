"""The study on a collection small enough to count by hand."""

from __future__ import annotations

from math import isnan, nan
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, UsageError
from tidings.core.records import Cluster, Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.clustering import read_clusters
from tidings.evaluation.formats.categories import CategoryLine, read_categories, write_categories
from tidings.evaluation.measures.agreement import Line
from tidings.evaluation.measures.projection import project
from tidings.evaluation.measures.run_scores import UnknownEventError
from tidings.evaluation.report.study_tables import correlation_spec, headline, pairs_spec
from tidings.evaluation.study.categories import Assigned, categorise
from tidings.evaluation.study.collection import collect, counts_of, middle
from tidings.evaluation.study.score_agreement import (
    Correlation,
    Pairs,
    Point,
    correlations,
    disagreements,
    pairs_by_topic,
    value_runs,
)
from tidings.evaluation.study.whole_study import TaskEffort, compare_effort, make_study

EVENTS = (Event(id="TS13.1", title="Quake", query="quake"), Event(id="TS14.2", title="Flood", query="flood"))


def judged() -> Judgments:
    """Topic 1: nuggets a b c, clusters x y; topic 2: nugget d and cluster z of one update."""
    return Judgments(
        name="small",
        events=EVENTS,
        nuggets=(
            Nugget("TS13.1", "a", 1, 3, "Nine died"),
            Nugget("TS13.1", "b", 2, 1, "A bridge fell"),
            Nugget("TS13.1", "c", 3, 1, "A school closed"),
            Nugget("TS14.2", "d", 1, 1, "The river rose"),
        ),
        matches=(
            Match("TS13.1", "p-0", "a", 0, 1),
            Match("TS13.1", "p-0", "b", 0, 1),
            Match("TS13.1", "p-1", "b", 0, 1),
            Match("TS13.1", "q-9", "c", 0, 1),
            Match("TS14.2", "p-0", "d", 0, 1),
        ),
        pool=(
            *(PooledUpdate("TS13.1", "p", number, f"Sentence {number}.") for number in range(4)),
            *(PooledUpdate("TS14.2", "p", number, "Water.") for number in range(2)),
        ),
        clusters=(
            Cluster("TS13.1", "x", ("p-1", "p-2"), "bridge"),
            Cluster("TS13.1", "y", ("p-3",), "rescue"),
            Cluster("TS14.2", "z", ("p-0",), "river"),
        ),
    )


def run(name: str, *told: tuple[str, int]) -> Run:
    return Run("t", name, tuple(Update(event, "p", at, 100) for event, at in told))


ONE, TWO = "TS13.1", "TS14.2"
RUNS = [
    run("rich", (ONE, 0), (TWO, 0)),
    run("new", (ONE, 2), (ONE, 3)),
    run("both", ("1", 1), ("1", 3), ("2", 1)),
]


def test_table_one() -> None:
    counted = counts_of(collect([judged()], [judged()]))
    assert [(row.topic, row.updates, row.nuggets, row.clusters) for row in counted] == [
        (ONE, 4, 3, 2),
        (TWO, 2, 1, 1),
    ]
    # q-9 was matched though it is not in the pool: the study counted such updates.
    assert [(row.by_nuggets, row.by_clusters) for row in counted] == [(3, 3), (1, 1)]
    total, mean, median = middle(counted)
    assert (total.updates, mean.updates, median.nuggets) == (6, 3, 2)


def test_topics_are_in_the_order_of_their_numbers() -> None:
    nuggets = tuple(Nugget(f"TS14.{n}", "a", 1, 1, "x") for n in (12, 9))
    pool = tuple(PooledUpdate(f"TS14.{n}", "p", 0, "x") for n in (12, 9))
    clusters = tuple(Cluster(str(n), "x", ("p-0",)) for n in (12, 9))
    made = collect(
        [Judgments(name="n", nuggets=nuggets, pool=pool)], [Judgments(name="c", clusters=clusters)]
    )
    assert [topic.id for topic in made.topics] == ["TS14.9", "TS14.12"]
    assert {topic.group for topic in made.topics} == {"TS 2014"}
    assert [one.event_id for one in made.judgments.clusters] == ["TS14.12", "TS14.9"]


def test_only_what_both_saw_is_judged() -> None:
    other = Judgments(
        name="c",
        pool=tuple(PooledUpdate("1", "p", n, "x") for n in (0, 1, 7)),
        clusters=(Cluster("1", "x", ("p-1",)),),
    )
    made = collect([judged()], [other])
    assert [row.id for row in made.judgments.pool] == ["p-0", "p-1"]
    assert made.left_out == ((TWO, "clusters"),)


def test_nothing_judged_both_ways_is_said() -> None:
    with pytest.raises(UsageError, match="no topic with nuggets, clusters and judged updates"):
        collect([judged()], [Judgments(name="none")])


def test_silver_clusters_are_projections() -> None:
    made = collect([judged()], silver="highest-grade")
    assert made.silver == "highest-grade"
    assert {(one.id, one.update_ids) for one in made.judgments.clusters if one.event_id == ONE} == {
        ("a", ("p-0",)),
        ("b", ("p-1",)),
        ("c", ("q-9",)),
    }


def test_values_by_hand() -> None:
    rich, new, both = value_runs(collect([judged()], [judged()]), RUNS)
    assert rich.groups == ("TS 2013", "TS 2014")
    assert new.groups == ("TS 2013",)
    assert TWO not in new.emitted
    assert rich.values[ONE] == pytest.approx(
        {"nuggets:EG": 2.0, "nuggets:C": 2 / 3, "clusters:EG": 0.0, "clusters:C": 0.0}
    )
    assert new.values[ONE] == pytest.approx(
        {"nuggets:EG": 0.0, "nuggets:C": 0.0, "clusters:EG": 1.0, "clusters:C": 1.0}
    )
    assert both.values[ONE] == pytest.approx(
        {"nuggets:EG": 0.5, "nuggets:C": 1 / 3, "clusters:EG": 1.0, "clusters:C": 1.0}
    )
    assert both.emitted[TWO] == ("p-1",)


def test_verbosity_divides_expected_gain_and_nothing_else() -> None:
    """ "Sentence 0." matches two nuggets with its first word: of mean nugget length (2+3+3)/3, V = 1 + 1/(8/3)."""
    both = collect([judged()], [judged()])
    rich, new, _ = value_runs(both, RUNS, verbosity=True)
    plain, *_ = value_runs(both, RUNS)
    assert rich.values[ONE]["nuggets:EG"] == pytest.approx(2 / (1 + 3 / 8))
    assert rich.values[ONE]["nuggets:C"] == plain.values[ONE]["nuggets:C"]
    # Two updates of one cluster each, which match no nugget: all their words are to spare.
    assert new.values[ONE]["clusters:EG"] == pytest.approx(2 / (2 * (1 + 6 / 8)))
    studied = make_study(both, RUNS, seeds=1, verbosity=True)
    assert studied.verbosity
    assert "divided by the verbosity" in headline(studied)
    assert studied.correlations[0].points[0].x == pytest.approx(2 / (1 + 3 / 8))


def test_unjudged_updates_are_left_out_and_names_are_each_ones_own() -> None:
    twice = [run("r", (ONE, 0), (ONE, 55)), run("r", (ONE, 0))]
    first, second = value_runs(collect([judged()], [judged()]), twice)
    assert (first.name, second.name) == ("t/r", "t/r (2)")
    assert first.values == second.values
    assert first.emitted[ONE] == ("p-0",)


def test_an_event_of_another_collection_is_refused_but_one_left_out_is_not() -> None:
    made = collect([judged()], [Judgments(name="c", clusters=(Cluster("1", "x", ("p-1",)),))])
    assert value_runs(made, [run("r", (ONE, 0), (TWO, 0))])[0].emitted == {ONE: ("p-0",)}
    with pytest.raises(UnknownEventError, match=r"tells of event TS14\.99"):
        value_runs(made, [run("r", ("TS14.99", 0))])


def test_correlations_go_by_year() -> None:
    made = collect([judged()], [judged()])
    plots = correlations(made, value_runs(made, RUNS))
    assert [(one.metric, one.group, len(one.points), one.topics) for one in plots] == [
        ("EG", "TS 2013", 3, 1),
        ("EG", "TS 2014", 2, 1),
        ("C", "TS 2013", 3, 1),
        ("C", "TS 2014", 2, 1),
    ]
    # By nuggets 2 > .5 > 0, by clusters 0 < 1 = 1: two pairs discordant, one tied by clusters.
    assert plots[0].tau == pytest.approx(-2 / (3 * 2) ** 0.5)
    assert plots[1].tau == 1


def test_pairs_by_hand() -> None:
    made = collect([judged()], [judged()])
    gain = pairs_by_topic(made, value_runs(made, RUNS))[0]
    assert (gain.topic, gain.metric) == (ONE, "EG")
    assert (gain.agree, gain.disagree, gain.tied_once, gain.tied_twice) == (0, 2, 1, 0)
    assert (gain.share, gain.share_of_all) == (0, 0)
    # rich − new, rich − both, new − both, over the greatest differences 2 and 1.
    assert gain.points == (pytest.approx((1, -1)), pytest.approx((0.75, -1)), pytest.approx((-0.25, 0)))
    # Through the points and their mirror images: slope Σxy / Σx².
    assert gain.line.slope == pytest.approx(-1.75 / (1 + 0.5625 + 0.0625))
    assert gain.line.intercept == pytest.approx(0)


def test_the_order_of_runs_changes_no_line() -> None:
    made = collect([judged()], [judged()])
    lines = [
        pairs_by_topic(made, value_runs(made, runs))[0].line.slope
        for runs in (RUNS, [RUNS[1], RUNS[2], RUNS[0]])
    ]
    assert lines[0] == pytest.approx(lines[1])


def test_ties_are_counted_apart() -> None:
    made = collect([judged()], [judged()])
    runs = [run("one", (ONE, 0)), run("copy", (ONE, 0)), run("silent", (ONE, 2), (ONE, 2))]
    studied = make_study(made, runs, seeds=1)
    gain = studied.agreement[0]
    assert (gain.pairs, gain.agree, gain.disagree, gain.tied_once, gain.tied_twice) == (3, 0, 2, 0, 1)
    assert (gain.share, gain.share_of_all, gain.topics_above, gain.topics) == (0, 0, 0, 1)
    assert studied.agreement[1].share == 0


def test_what_causes_disagreement() -> None:
    made = collect([judged()], [judged()])
    valued = value_runs(made, RUNS)
    found = disagreements(made, valued, pairs_by_topic(made, valued))
    assert [one.topic for one in found] == [ONE]
    assert found[0].disagree == {"EG": 2, "C": 2}
    best = found[0].causes[0]
    # Without p-0 the run "rich" has nothing: it is the worst both ways, and no pair is ordered in opposite ways.
    assert (best.update, best.fewer, best.runs) == ("p-0", {"EG": 2, "C": 2}, 1)
    assert best.nuggets == ("Nine died", "A bridge fell")
    assert best.clusters == ()
    assert best.text == "Sentence 0."


def test_causes_are_what_scoring_without_the_update_gives() -> None:
    """Against the slow way: judgments without the update, scored anew."""
    runs = [*RUNS, run("more", (ONE, 0), (ONE, 1), (ONE, 1), (ONE, 2)), run("bridge", (ONE, 1))]
    full = judged()
    made = collect([full], [full])
    valued = value_runs(made, runs)
    pairs = {(one.topic, one.metric): one.disagree for one in pairs_by_topic(made, valued)}
    (found,) = disagreements(made, valued, pairs_by_topic(made, valued), topics=1)
    for cause in found.causes:
        kept = tuple(row for row in full.pool if (row.event_id, row.id) != (ONE, cause.update))
        fewer = Judgments(
            name="f",
            events=EVENTS,
            nuggets=full.nuggets,
            matches=full.matches,
            clusters=full.clusters,
            pool=kept,
        )
        without = collect([fewer], [fewer])
        again = pairs_by_topic(without, value_runs(without, runs))
        assert cause.fewer == {
            one.metric: pairs[ONE, one.metric] - one.disagree for one in again if one.topic == ONE
        }


def test_without_runs_there_are_counts_and_projections_only() -> None:
    studied = make_study(collect([judged()], [judged()]), seeds=2)
    assert studied.runs == ()
    assert studied.pairs == ()
    assert studied.agreement == ()
    assert [one.one for one in studied.projections.rules] == [
        "random",
        "highest-grade",
        "earliest",
        "most-popular",
    ]


def test_projections_are_compared_over_what_is_relevant_both_ways() -> None:
    studied = make_study(collect([judged()], [judged()]), seeds=3)
    sizes = {(one.topic, one.rule): one.updates for one in studied.projections.topics}
    assert sizes[ONE, "random"] == 1
    # One update each: nothing to compare, and no topic to average over.
    assert all(isnan(one.ari) for one in studied.projections.rules)


def test_shares_with_and_without_ties() -> None:
    # By nuggets 2, .5, 0; by clusters 0, .5, 0: the first two disagree, the last two agree, one pair is tied.
    runs = [run("rich", (ONE, 0)), run("half", (ONE, 1), (ONE, 1)), run("zero", (ONE, 55))]
    studied = make_study(collect([judged()], [judged()]), runs, seeds=1)
    gain = studied.pairs[0]
    assert (gain.agree, gain.disagree, gain.tied_once) == (1, 1, 1)
    assert (gain.share, gain.share_of_all) == (pytest.approx(1 / 2), pytest.approx(1 / 3))
    assert (studied.agreement[0].share, studied.agreement[0].share_of_all) == (0.5, pytest.approx(1 / 3))
    assert (studied.agreement[0].topics_above, studied.agreement[0].topics) == (0, 1)


def test_silver_clusters_are_drawn_with_lots_of_their_own() -> None:
    nuggets = tuple(Nugget("e", name, 1, 1, name) for name in "ab")
    matches = tuple(Match("e", f"p-{at}", name, 0, 1) for at in range(40) for name in "ab")
    pool = tuple(PooledUpdate("e", "p", at, "x") for at in range(40))
    tied = Judgments(name="tied", nuggets=nuggets, matches=matches, pool=pool)
    silver = collect([tied], silver="random").judgments.clusters
    assert all(silver != project(tied, "random", seed) for seed in range(10))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("verbosity", [False, True])
def test_causes_of_random_runs_against_scoring_anew(seed, verbosity) -> None:
    """Runs of few updates, some repeated; the judgments without each cause, scored anew."""
    draw = Random(seed)
    runs = [
        run(
            f"r{number}", *((ONE, draw.randrange(4)) for _ in range(1 + draw.randrange(6))), (TWO, number % 2)
        )
        for number in range(7)
    ]
    full = judged()
    made = collect([full], [full])
    valued = value_runs(made, runs, verbosity=verbosity)
    all_pairs = pairs_by_topic(made, valued)
    pairs = {(one.topic, one.metric): one.disagree for one in all_pairs}
    for found in disagreements(made, valued, all_pairs, verbosity=verbosity):
        worth = [sum(cause.fewer.values()) for cause in found.causes]
        assert worth == sorted(worth, reverse=True)
        assert all(one > 0 for one in worth)
        for cause in found.causes:
            kept = tuple(row for row in full.pool if (row.event_id, row.id) != (found.topic, cause.update))
            without = collect([replace(full, pool=kept)], [replace(full, pool=kept)])
            again = pairs_by_topic(without, value_runs(without, runs, verbosity=verbosity))
            assert cause.fewer == {
                one.metric: pairs[found.topic, one.metric] - one.disagree
                for one in again
                if one.topic == found.topic
            }


def test_the_topic_of_most_disagreement_comes_first() -> None:
    """Two topics of the same judgments; on the second, more of the pairs disagree."""
    first = judged()
    mine = Judgments(
        name="two",
        events=(),
        nuggets=tuple(replace(one, event_id=f"TS13.{n}") for n in (1, 2) for one in first.nuggets[:3]),
        matches=tuple(replace(one, event_id=f"TS13.{n}") for n in (1, 2) for one in first.matches[:4]),
        pool=tuple(replace(one, event_id=f"TS13.{n}") for n in (1, 2) for one in first.pool[:4]),
        clusters=tuple(replace(one, event_id=f"TS13.{n}") for n in (1, 2) for one in first.clusters[:2]),
    )
    made = collect([mine], [mine])
    runs = [
        run("rich", ("TS13.1", 0), ("TS13.2", 0)),
        run("new", ("TS13.1", 1), ("TS13.2", 2)),
        run("zero", ("TS13.1", 55), ("TS13.2", 55)),
        run("half", ("TS13.1", 1), ("TS13.1", 1), ("TS13.2", 1)),
    ]
    valued = value_runs(made, runs)
    found = disagreements(made, valued, pairs_by_topic(made, valued))
    shares = {one.topic: sum(one.disagree.values()) for one in found}
    assert [one.topic for one in found] == ["TS13.2", "TS13.1"]
    assert [one.topic for one in disagreements(made, valued, pairs_by_topic(made, valued), topics=1)] == [
        "TS13.2"
    ]
    assert len(shares) == 2


FIRES = ("The fire burns in the harbour", "A harbour fire burns", "Fire in the harbour is out")
TOLLS = ("Nine people died", "The dead are nine people", "People who died were nine")


def both_kinds() -> Judgments:
    texts = (*FIRES[:2], *TOLLS[:2])
    return Judgments(
        name="j",
        nuggets=tuple(Nugget("e", str(number), 0, 1, text) for number, text in enumerate(texts)),
        clusters=(Cluster("e", "f", ("d-0",)), Cluster("e", "t", ("d-1",), "toll")),
        pool=(PooledUpdate("e", "d", 0, FIRES[2]), PooledUpdate("e", "d", 1, TOLLS[2])),
    )


def test_what_is_alike_is_suggested_together() -> None:
    table = categorise(both_kinds(), "e", count=2)
    assert [(len(row.nuggets), len(row.clusters)) for row in table.rows] == [(2, 1), (2, 1)]
    fires = next(row for row in table.rows if "harbour" in row.name)
    assert fires.nuggets == FIRES[:2]
    # A cluster without a label is shown by its shortest update.
    assert fires.clusters == (FIRES[2],)
    assert table.suggested == 6
    assert table == categorise(both_kinds(), "e", count=2)


def test_what_a_person_sorted_stays_and_the_rest_follows() -> None:
    by_hand = [
        Assigned("nugget", "0", "Toll"),
        Assigned("nugget", "2", "Fire"),
        Assigned("cluster", "x", "No"),
    ]
    table = categorise(both_kinds(), "e", by_hand, {"Toll": "by mistake"})
    assert {row.name for row in table.rows} == {"Toll", "Fire"}
    assert next(row for row in table.rows if row.name == "Toll").relationship == "by mistake"
    assert {one.id: one.category for one in table.assigned if one.kind == "nugget"} == {
        "0": "Toll",
        "1": "Toll",
        "2": "Fire",
        "3": "Fire",
    }
    assert [one.suggested for one in table.assigned if one.id in "02" and one.kind == "nugget"] == [
        False,
        False,
    ]


def test_categories_are_written_and_read(tmp_path: Path) -> None:
    lines = (
        CategoryLine("e", "nugget", "0", "Fire", "a text of two lines"),
        CategoryLine("e", "relationship", "", "Fire", "The same."),
    )
    path = tmp_path / "categories.tsv"
    write_categories(path, [CategoryLine("e", "nugget", "0", "Fire", "a text\nof two\tlines"), lines[1]])
    assert read_categories(path) == lines


@every(
    "text, said",
    cases(__file__, "damaged categories are said"),
)
def test_damaged_categories_are_said(text, said, tmp_path: Path) -> None:
    path = tmp_path / "categories.tsv"
    path.write_text(text.replace("HEAD", "event\tkind\tid\tcategory\ttext"))
    with pytest.raises(FormatError, match=r"categories\.tsv") as caught:
        read_categories(path)
    assert said in str(caught.value)


def test_clusters_alone_must_name_their_event(tmp_path: Path) -> None:
    path = tmp_path / "clusters.jsonl"
    path.write_text('{"event": "", "id": "a", "updates": []}\n')
    with pytest.raises(FormatError, match="no event"):
        read_clusters(path)


def test_effort_of_one_kind_alone_compares_nothing() -> None:
    one = compare_effort([TaskEffort("matching", "", 1.0, 2.0, 1, 1)])
    assert one is not None
    assert one.ratio == 0
    assert compare_effort([TaskEffort("entities", "", 1.0, 2.0, 1, 1)]) is None


def drawn(spec) -> dict[str, int]:
    """Colour to how many points have it."""
    return {
        layer["mark"]["color"]: len(layer["data"]["values"])
        for layer in spec["layer"]
        if layer["mark"]["type"] == "point"
    }


def test_pairs_are_green_red_and_grey_and_drawn_once_where_they_coincide() -> None:
    points = ((0.49, 0.49), (0.49, 0.495), (0.9, 1.0), (0.5, -0.5), (0.0, 0.7), (0.0, 0.0))
    pairs = Pairs("e", "EG", points, 3, 1, 1, 1, Line(0.8, 0.0, 0.5), 0.4)
    spec = pairs_spec(pairs)
    assert drawn(spec) == {"#1b6b38": 2, "#ae2418": 1, "#5a626c": 2}
    shapes = {layer["mark"]["color"]: layer["mark"].get("shape") for layer in spec["layer"]}
    assert (shapes["#1b6b38"], shapes["#ae2418"]) == ("circle", "M-1,-1L1,1M-1,1L1,-1")
    filled = {layer["mark"]["color"]: layer["mark"].get("filled") for layer in spec["layer"]}
    assert (filled["#1b6b38"], filled["#ae2418"], filled["#5a626c"]) == (
        False,
        False,
        True,
    )  # in grey print, too
    line = spec["layer"][-1]["data"]["values"]
    assert line == [{"x": -1.0, "y": -0.8}, {"x": 1.0, "y": 0.8}]


def test_a_steep_line_ends_at_the_edge() -> None:
    pairs = Pairs("e", "EG", ((0.5, 0.5),), 1, 0, 0, 0, Line(2.0, 0.0, 0.5), 0.4)
    assert pairs_spec(pairs)["layer"][-1]["data"]["values"] == [{"x": -0.5, "y": -1.0}, {"x": 0.5, "y": 1.0}]
    nothing = Pairs("e", "EG", (), 0, 0, 0, 0, Line(nan, nan, nan), nan)
    assert nothing.pairs == 0
    assert all(layer["mark"]["type"] != "line" for layer in pairs_spec(nothing)["layer"])


def test_a_years_plot_has_a_point_for_each_run() -> None:
    points = (Point("a", 0.1, 0.2), Point("b", 0.5, 0.6))
    spec = correlation_spec(Correlation("2014", "C", 3, points, Line(1.0, 0.1, 1.0), 1.0, 1.0))
    assert drawn(spec) == {"#0b6472": 2}
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, pytest.approx(0.672)]


def test_a_persons_word_counts_more_than_likeness() -> None:
    sorted_so = {"0": "Fire", "1": "Toll", "2": "Toll", "3": "Toll"}
    by_hand = [Assigned("nugget", one, category) for one, category in sorted_so.items()]
    table = categorise(both_kinds(), "e", by_hand)
    assert {one.id: one.category for one in table.assigned if one.kind == "nugget"} == sorted_so
