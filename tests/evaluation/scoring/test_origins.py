"""What a run learned from and chose from stands beside its scores: by its card, else inferred and said to be."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

from msgspec.structs import replace

from tests.sweeps import every
from tidings.core.records import DataUsed, ModelCard, Run, RunCard, Update
from tidings.evaluation.measures import Measure, MeasureInfo, RunScores
from tidings.evaluation.measures.run_comparison import Settings, compare_scores
from tidings.evaluation.measures.run_scores import Origin, origin_of
from tidings.evaluation.report.comparison_tables import Provenance, comparison_json, finding, print_comparison
from tidings.evaluation.report.remarks import origin_words
from tidings.evaluation.scoring import scorer_for
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

POOLED = {"TS14.11": {"a-0", "b-1"}, "TS14.12": {"c-0"}}


def card(*events: str, choice: str = "") -> RunCard:
    data = (DataUsed(name="2014", events=events, digest=""),)
    return RunCard(system="tidings", model=ModelCard(system="tidings", data=data), choice=choice)


def run(*updates: tuple[str, str, int], of: RunCard | None = None) -> Run:
    return Run("us", "one", tuple(Update(event, doc, index, 60) for event, doc, index in updates), of)


class TestOrigin:
    def test_judged_events_are_known_by_every_way_of_writing_them(self) -> None:
        learned = origin_of(run(of=card("TS13.11", "TS14.12", "11", "TS14.30")), POOLED, POOLED).learned_from
        assert learned == ("TS14.12", "TS14.11")

    def test_events_of_another_year_are_others(self) -> None:
        assert origin_of(run(of=card("TS13.11", "TS13.12")), POOLED, POOLED).learned_from == ()

    @every("choice", ["pool", "corpus"])
    def test_the_card_says_what_was_chosen_from(self, choice) -> None:
        origin = origin_of(run(("11", "a", 0), of=card(choice=choice)), POOLED, POOLED)
        assert (origin.system, origin.choice, origin.inferred) == ("tidings", choice, False)

    def test_without_a_card_it_is_inferred_from_all_updates(self) -> None:
        assert origin_of(run(("11", "a", 0), ("12", "c", 0)), POOLED, POOLED) == Origin("", (), "pool", True)
        assert origin_of(run(("11", "a", 0), ("12", "a", 0)), POOLED, POOLED) == Origin(
            "", (), "corpus", True
        )

    def test_a_card_without_a_choice_is_filled_in(self) -> None:
        assert origin_of(run(("11", "b", 1), of=card()), POOLED, POOLED).choice == "pool"

    def test_events_that_were_not_judged_say_nothing(self) -> None:
        assert origin_of(run(("13", "z", 0), ("11", "a", 0)), POOLED, POOLED).choice == "pool"
        assert origin_of(run(("13", "z", 0)), POOLED, POOLED) == Origin()

    def test_without_a_pool_nothing_is_inferred(self) -> None:
        assert origin_of(run(("11", "a", 0)), ["TS14.11"], {}) == Origin()


class TestScorer:
    def test_scores_carry_the_origin(self) -> None:
        judged = replace(read_judgments(bundled.path()), pool_whole=False)
        first = judged.pool[0]
        update = Update(first.event_id, first.doc_id, first.sentence_index, first.published_time)
        scored = scorer_for("trec-2014", judged).score_run(Run("us", "one", (update,), card("santiago-2013")))
        assert scored.origin == Origin("tidings", ("santiago-2013",), "pool", True)

    def test_where_the_pool_is_everything_nothing_is_inferred(self) -> None:
        """A folder of tidings' own without pool.jsonl: whoever chose from it chose from its documents."""
        judged = read_judgments(bundled.path())
        first = judged.pool[0]
        update = Update(first.event_id, first.doc_id, first.sentence_index, first.published_time)
        one = Run("us", "one", (update,))
        for rules in ("trec-2014", "clusters-2017"):
            assert scorer_for(rules, bundled.path()).score_run(one).origin == Origin()
            assert scorer_for(rules, judged).score_run(one).origin == Origin()

    def test_a_pool_of_its_own_is_not_everything(self, tmp_path: Path) -> None:
        folder = Path(copytree(bundled.path(), tmp_path / "event"))
        document = json.loads((folder / "documents.jsonl").read_text().splitlines()[0])
        line = {"event": "santiago-2013", "update": f"{document['id']}-0"}
        (folder / "pool.jsonl").write_text(json.dumps(line) + "\n")
        assert read_judgments(bundled.path()).pool_whole
        assert not read_judgments(folder).pool_whole


G = Measure("G")
INFOS = {"G": MeasureInfo("G", "", "", "", "", 0.0, 1.0, 0.0, "higher", "made", "")}


def compared(mine: Origin | None, theirs: Origin | None):
    def scored(name: str, shift: float, origin: Origin | None) -> RunScores:
        return RunScores(
            "", name, (G,), {f"e{n}": {G: n / 20 + shift + n * shift / 10} for n in range(8)}, origin=origin
        )

    runs = [scored("base", 0.0, theirs), scored("mine", 0.1, mine)]
    return compare_scores(runs, INFOS, "base", Settings(samples=200, resamples=200))


class TestComparison:
    def test_no_winner_is_declared_between_pool_and_corpus_without_saying_it(self) -> None:
        comparison = compared(Origin(choice="pool", inferred=True), Origin(choice="corpus"))
        text = finding(comparison, comparison.measures[0])
        assert "mine (+" in text
        assert "This does not say which system is better (mine: only mine chose from the pool" in text
        notes = print_comparison(comparison, Provenance())
        assert "base chose from whole documents" in notes
        assert "mine has no update that was not judged" in notes
        assert any(
            "not on equal terms" in line for line in comparison_json(comparison, Provenance())["notes"]
        )

    def test_what_was_learned_from_judged_events_is_said(self) -> None:
        comparison = compared(Origin(learned_from=("e0", "e1"), choice="pool"), Origin(choice="pool"))
        assert "mine: mine learned from judged events; see the notes" in finding(
            comparison, comparison.measures[0]
        )
        assert origin_words(comparison) == [
            "run mine: its model learned from 2 of the 8 judged events (e0, e1): its scores there are not a fair test"
        ]
        assert comparison_json(comparison, Provenance())["runs"][1]["learned_from"] == ["e0", "e1"]

    @every(
        "origins",
        [(None, None), (Origin(choice="pool"), Origin(choice="pool")), (Origin(choice="pool"), None)],
    )
    def test_equal_terms_need_no_words(self, origins) -> None:
        comparison = compared(*origins)
        assert origin_words(comparison) == []
        assert "This does not say" not in finding(comparison, comparison.measures[0])

    def test_the_page_says_it_under_its_finding(self) -> None:
        from tidings.evaluation.report.comparison import render_comparison

        page = render_comparison(compared(Origin(choice="pool"), Origin(choice="corpus")))
        assert page.index("not on equal terms") < page.index("<dl")
