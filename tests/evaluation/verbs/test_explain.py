"""`tidings explain`, and the accounts behind it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.evaluation.report.ferry import EVENT, JUDGMENTS, UPDATES
from tests.sweeps import cases
from tidings.cli import run
from tidings.core.records import Run
from tidings.evaluation.measures import Measure, prepare
from tidings.evaluation.measures.trec_ts import Prepared, explain
from tidings.evaluation.measures.trec_ts.explanations import losses
from tidings.evaluation.report.explanation import Failure, analyse, failure_json, print_failure
from tidings.following.outputs.runs import write_runs
from tidings.sources import bundled
from tidings.sources.own.judgments import write_own_judgments

RUN = Run("harbour", "cosine", UPDATES)


def prepared() -> Prepared:
    return prepare(JUDGMENTS, "trec-2014")


def failure(told: Run = RUN) -> Failure:
    ready = prepared()
    return analyse(ready, JUDGMENTS, told, explain(ready, told, EVENT.id))


class TestAccounts:
    def test_the_standing_is_the_score(self) -> None:
        scores = prepared().score(RUN).per_event[EVENT.id]
        standing = failure().standing
        assert abs(standing.H - scores[Measure("H")]) < 1e-12
        assert standing.precision == pytest.approx(scores[Measure("nE[LG]")], abs=1e-12)
        assert standing.recall == pytest.approx(scores[Measure("LC")], abs=1e-12)

    def test_undoing_repetition_is_scoring_the_run_without_the_repeating_updates(self) -> None:
        """c1 only repeats n2; the last update is in no pool; b2 is judged and says nothing."""
        by_cause = {loss.cause: loss for loss in failure().losses}
        for cause, left_out in (("repetition", "c1"), ("irrelevance", "b2"), ("unjudged", "c2")):
            rest = tuple(update for update in UPDATES if update.doc_id != left_out)
            scores = prepared().score(Run("harbour", "cosine", rest)).per_event[EVENT.id]
            assert by_cause[cause].count == 1
            assert abs(by_cause[cause].without.H - scores[Measure("H")]) < 1e-12, cause

    def test_undoing_lateness_is_telling_at_the_nuggets_time(self) -> None:
        """n2 and n3 are told early, n1 12 minutes late and n4 two hours late."""
        ready = prepared()
        event = ready.events[EVENT.id]
        told = explain(ready, RUN, EVENT.id)
        late = next(loss for loss in losses(event, told)[1] if loss.cause == "lateness")
        times = {nugget.id: nugget.time for nugget in JUDGMENTS.nuggets}
        on_time = tuple(
            msgspec.structs.replace(
                update, time={"a1": times["n1"], "a2": times["n4"]}.get(update.doc_id, update.time)
            )
            for update in UPDATES
        )
        scores = ready.score(Run("harbour", "cosine", on_time)).per_event[EVENT.id]
        assert late.count == 2
        assert abs(late.without.H - scores[Measure("H")]) < 1e-12
        assert late.points > 0

    def test_undoing_silence_completes_recall(self) -> None:
        silence = next(loss for loss in failure().losses if loss.cause == "silence")
        assert silence.count == 2
        missed = sum(item.relevance for item in failure().missed)
        total = sum(item.relevance for item in (*failure().missed, *failure().covered))
        assert silence.without.recall == pytest.approx(failure().standing.recall + missed / total)

    def test_no_cause_undone_makes_a_run_worse_by_much(self) -> None:
        assert all(loss.points > -0.05 for loss in failure().losses)
        points = [loss.points for loss in failure().losses]
        assert points == sorted(points, reverse=True)

    def test_a_run_that_says_nothing_lost_everything_to_silence(self) -> None:
        nothing = failure(Run("harbour", "mute", ()))
        assert nothing.standing.H == 0
        assert nothing.losses[0].cause == "silence"
        assert len(nothing.missed) == 6
        assert "none" in print_failure(nothing)


class TestAnalysis:
    def test_every_update_says_what_became_of_it(self) -> None:
        whys = {update: why for (update, _), why in failure().why.items()}
        assert whys["a1-0"] == "new: n1"
        assert whys["b1-0"].startswith("new: n2, n3")
        assert whys["c1-0"] == "repeats n2, told 1 h 6 min before"
        assert whys["b2-0"].startswith("irrelevant")
        assert whys["c2-0"] == "unjudged, costs one word"

    def test_an_update_that_earns_after_six_hours_is_too_late(self) -> None:
        late = tuple(
            msgspec.structs.replace(update, time=update.time + 8 * 3600) if update.doc_id == "a1" else update
            for update in UPDATES
        )
        whys = {update: why for (update, _), why in failure(Run("h", "late", late)).why.items()}
        assert whys["a1-0"] == "too late: n1"

    def test_missed_nuggets_come_by_weight_and_say_who_could_have_told_them(self) -> None:
        weights = [item.relevance for item in failure().missed]
        assert weights == sorted(weights, reverse=True)
        without = failure(Run("h", "without", UPDATES[2:]))
        assert without.missed[0].nugget.id == "n1"
        chance = without.chances["n1"]
        assert (chance.updates, chance.first, chance.time) == (1, "a1-0", UPDATES[0].published_time)

    def test_json_has_all_updates_and_nuggets(self) -> None:
        found = failure_json(failure())
        assert len(found["earned"]) + len(found["wasted"]) == len(UPDATES)
        assert len(found["missed"]) + len(found["told"]) == 6
        repeated = next(one for one in found["wasted"] if one["status"] == "repeated")
        assert repeated["told_before_by"] == ["b1-0"]
        assert set(failure_json(failure(), "missed")) & {"missed", "told", "earned", "wasted"} == {"missed"}

    def test_lists_are_cut_and_say_so(self) -> None:
        text = print_failure(failure(), limit=1)
        assert "… and 2 more (--limit 0 shows all)" in text
        assert "… and" not in print_failure(failure(), limit=0)

    def test_texts_cannot_steer_a_terminal(self) -> None:
        nasty = (msgspec.structs.replace(UPDATES[5], text="\x1b[2J\nowned"), *UPDATES[:5])
        text = print_failure(failure(Run("h", "\x1b]0;x", nasty)))
        assert "\x1b" not in text
        assert "owned" in text


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A run of the bundled event that tells a few sentences of its pool."""
    documents = [json.loads(line) for line in (bundled.path() / "documents.jsonl").read_text().splitlines()]
    published = {document["id"]: document["published_time"] for document in documents}
    matches = [
        json.loads(line)["update"] for line in (bundled.path() / "matches.jsonl").read_text().splitlines()
    ]
    rows = []
    for update in list(dict.fromkeys(matches))[:12]:
        doc, _, index = update.rpartition("-")
        rows.append(f"santiago-2013 me mine {doc} {index} {published[doc]} 1.0")
    path = tmp_path / "mine.run"
    path.write_text("\n".join(rows) + "\n")
    return path


class TestCommand:
    def call(self, path: Path, event: str, *more: str) -> int:
        return run(["explain", str(path), event, "--judgments", str(bundled.path()), *more])

    def test_prints_the_account_and_three_lists(self, told: Path, capsys) -> None:
        assert self.call(told, "santiago-2013", "--width", "150") == 0
        out = capsys.readouterr().out
        assert out.startswith("me mine on santiago-2013")
        for title in ("What was lost", "Nuggets missed", "Nuggets covered", "Updates that earned"):
            assert title in out

    @pytest.mark.parametrize(
        ("only", "there", "absent"),
        cases(__file__, "shows only what is asked for"),
    )
    def test_shows_only_what_is_asked_for(
        self, told: Path, capsys, only: str, there: str, absent: str
    ) -> None:
        assert self.call(told, "santiago-2013", "--only", only, "-f", "markdown") == 0
        out = capsys.readouterr().out
        assert there in out
        assert absent not in out

    def test_json_is_json(self, told: Path, capsys) -> None:
        assert self.call(told, "santiago-2013", "-f", "json") == 0
        found = json.loads(capsys.readouterr().out)
        assert found["updates"] == 12

    def test_a_silent_event_is_explained_and_told_so(self, tmp_path: Path, capsys) -> None:
        folder, path = tmp_path / "ferries", tmp_path / "other.jsonl"
        other = msgspec.structs.replace(EVENT, id="FERRY.2")
        nugget = msgspec.structs.replace(JUDGMENTS.nuggets[0], event_id="FERRY.2")
        both = msgspec.structs.replace(JUDGMENTS, events=(EVENT, other), nuggets=(*JUDGMENTS.nuggets, nugget))
        write_own_judgments(folder, both)
        write_runs(str(path), [RUN])
        assert run(["explain", str(path), "FERRY.2", "--judgments", str(folder)]) == 0
        said = capsys.readouterr()
        assert "says nothing about FERRY.2" in said.err
        assert "0 updates covered 0 of 1 nuggets" in said.out

    @pytest.mark.parametrize(
        ("event", "more", "says"),
        cases(__file__, "says what is wrong"),
    )
    def test_says_what_is_wrong(
        self, told: Path, capsys, event: str, more: tuple[str, ...], says: str
    ) -> None:
        assert self.call(told, event, *more) == 2
        assert says in capsys.readouterr().err


@pytest.mark.shared_data
def test_accounts_of_a_submitted_run_are_its_official_scores(shared_data: Path, capsys) -> None:
    """2APSal on TS14.11 has H .0862 in NIST's table of TREC 2014."""
    folder = shared_data / "trec-ts" / "2014"
    arguments = ["explain", str(folder / "runs" / "cunlp.run.gz"), "11", "-j", str(folder), "--run", "2APSal"]
    assert run([*arguments, "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert round(found["H"], 4) == 0.0862
    assert found["updates"] == len(found["earned"]) + len(found["wasted"])
