"""`tidings study`: the whole study of the bundled event, its forms, and what it says of wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import stdev

import pytest
from msgspec.structs import replace

from tests.annotation.desk.test_effort import entry
from tests.evaluation.measures.test_clusters_2017 import TABLE_1
from tests.sweeps import every
from tidings.annotation.desk.effort import logged_effort
from tidings.annotation.store import Act, Desk
from tidings.cli import run
from tidings.core import open_store
from tidings.core.records import Event, Run, Update
from tidings.core.records.judgments import Change, judge_layer
from tidings.evaluation.formats.desk_lines import (
    AccountLine,
    EntryLine,
    ProjectLine,
    TopicLine,
    write_desk_lines,
)
from tidings.evaluation.measures.agreement import adjusted_rand
from tidings.evaluation.measures.projection import project
from tidings.evaluation.report.comparison_tables import Provenance
from tidings.evaluation.report.study_tables import print_study, render_study
from tidings.evaluation.study.categories import categorise
from tidings.evaluation.study.collection import collect, counts_of
from tidings.evaluation.study.score_agreement import Cause, TopicDisagreement
from tidings.evaluation.study.whole_study import Study, TaskEffort, compare_effort, make_study
from tidings.following.outputs.runs import read_runs, write_runs
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

FOLDER = str(bundled.path())


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> list[str]:
    """Four runs: every n-th pooled sentence."""
    pool = read_judgments(FOLDER).pool
    place = tmp_path_factory.mktemp("runs")
    for step in (2, 3, 7, 40):
        told = [
            Update(row.event_id, row.doc_id, row.sentence_index, row.published_time) for row in pool[::step]
        ]
        write_runs(place / f"every-{step}.jsonl", [Run("t", f"every-{step}", tuple(told))])
    return [str(path) for path in sorted(place.iterdir())]


@pytest.fixture(scope="module")
def whole(runs) -> Study:
    judged = read_judgments(FOLDER)
    told = [one for path in runs for one in read_runs(path)]
    categories = categorise(judged, "santiago-2013")
    return make_study(collect([judged], [judged]), told, categories=categories, seeds=2)


@pytest.fixture(scope="module")
def studied(whole, runs, tmp_path_factory) -> dict[str, str]:
    """The study in several forms; the page without what takes long to draw."""
    out = tmp_path_factory.mktemp("study") / "study.json"
    assert run(["study", FOLDER, FOLDER, *runs, "--seeds", "2", "--out", str(out)]) == 0
    provenance = Provenance(command="tidings study")
    return {
        "json": out.read_text(encoding="utf-8"),
        "md": print_study(whole, provenance, "markdown"),
        "tex": print_study(whole, provenance, "latex"),
        "html": render_study(replace(whole, correlations=(), pairs=()), provenance),
    }


def test_all_parts_are_there(studied) -> None:
    made = json.loads(studied["json"])
    assert made["counts"] == [
        {
            "topic": "santiago-2013",
            "updates": 536,
            "nuggets": 82,
            "clusters": 72,
            "by_nuggets": 344,
            "by_clusters": 411,
        }
    ]
    assert len(made["projections"]["rules"]) == 4
    assert made["projections"]["seeds"] == 2
    assert [one["metric"] for one in made["correlations"]] == ["EG", "C"]
    assert [one["pairs"] for one in made["agreement"]] == [6, 6]
    assert sum(len(row["nuggets"]) for row in made["categories"]["rows"]) == 82
    assert made["effort"] is None
    assert len(made["files"]) == 4
    assert made["command"].startswith("tidings study")


def test_every_form_says_the_same_counts(studied) -> None:
    for form in ("md", "tex", "html"):
        for figure in ("536", "344", "411"):
            assert figure in studied[form], form
    assert studied["md"].startswith("# Nuggets against clusters")
    assert r"\begin{tabular}" in studied["tex"]
    assert "τ" not in studied["tex"].replace("% ", "").split(r"\begin{tabular}")[3]


def test_the_page_is_one_safe_file(studied) -> None:
    page = studied["html"]
    assert "<script" not in page
    assert "default-src &#39;none&#39;; style-src &#39;sha256-" in page
    for section in ("counts", "categories", "projections", "scores", "pairs", "paper", "method"):
        assert f'id="{section}"' in page
    assert "79.2 %" in page


def test_spread_is_from_seed_to_seed(whole) -> None:
    judged = read_judgments(FOLDER)
    clusters = {update: one.id for one in judged.clusters for update in one.update_ids}
    figures = []
    for seed in range(2):
        drawn = {update: one.id for one in project(judged, "random", seed) for update in one.update_ids}
        both = sorted(drawn.keys() & clusters.keys())
        figures.append(adjusted_rand([drawn[one] for one in both], [clusters[one] for one in both]))
    (found,) = (one for one in whole.projections.rules if one.one == "random")
    assert found.ari == pytest.approx(sum(figures) / 2)
    assert found.ari_spread == pytest.approx(stdev(figures))


def test_text_of_documents_is_escaped(whole) -> None:
    cause = Cause("u-0", "<b>&\u202e", ("<i>",), ("<u>",), 1, {"EG": 1, "C": -2})
    hostile = TopicDisagreement("e", "<h1>", {"EG": 1, "C": 1}, {"EG": 0.5, "C": 0.5}, (cause,))
    page = render_study(replace(whole, correlations=(), pairs=(), disagreements=(hostile,), name="<p>"))
    assert "&lt;b&gt;&amp;" in page
    for tag in ("<b>", "<i>", "<u>"):
        assert tag not in page, tag
    assert page.count("<h1>") == 1
    assert "-1 EG, +2 C" in page
    assert "1 fewer disagreeing pairs by expected gain, 2 more by comprehensiveness" in page
    assert 'id="causes"' in page
    assert "\u202e" not in page


@pytest.mark.long
def test_the_same_study_gives_the_same_page_with_its_charts(runs, tmp_path) -> None:
    pages = []
    for name in ("a.html", "b.html"):
        assert run(["study", FOLDER, FOLDER, *runs, "--seeds", "2", "--out", str(tmp_path / name)]) == 0
        pages.append((tmp_path / name).read_text(encoding="utf-8"))
    assert pages[0].replace("a.html", "") == pages[1].replace("b.html", "")
    assert pages[0].count('class="chart"') == 4
    assert "<script" not in pages[0]


def test_silver_clusters_need_no_second_folder(runs, capsys) -> None:
    assert run(["study", FOLDER, *runs[:2], "--silver", "earliest", "--seeds", "1", "-f", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["silver"] == "earliest"
    assert len(made["runs"]) == 2
    likeness = {one["one"]: one["ari"] for one in made["projections"]["rules"]}
    assert likeness["earliest"] > 0.9 > likeness["random"]


@pytest.mark.long
def test_the_normaliser_is_an_option(studied, capsys) -> None:
    words = ["study", FOLDER, FOLDER, "--seeds", "2", "--ami-normaliser", "min", "-f", "json"]
    assert run(words) == 0
    smaller = json.loads(capsys.readouterr().out)["projections"]
    greater = json.loads(studied["json"])["projections"]
    assert (greater["normaliser"], smaller["normaliser"]) == ("max", "min")
    for one, other in zip(greater["rules"], smaller["rules"], strict=True):
        assert one["ami"] < other["ami"]
        assert one["ari"] == pytest.approx(other["ari"])


def test_clusters_may_be_a_file_of_their_own(tmp_path, capsys) -> None:
    file = tmp_path / "clusters.jsonl"
    file.write_text('{"event": "santiago-2013", "id": "a", "updates": ["1374692300-meseta-0"]}\n')
    assert run(["study", FOLDER, str(file), "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"][0]["clusters"] == 1


def test_categories_are_suggested_mended_and_read_back(tmp_path, capsys) -> None:
    file = tmp_path / "categories.tsv"
    words = ["study", FOLDER, FOLDER, "--seeds", "1", "-f", "json"]
    assert run([*words, "--suggest", str(file)]) == 0
    capsys.readouterr()
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "event\tkind\tid\tcategory\ttext"
    mended = [
        "\t".join([*line.split("\t")[:3], "Tolls" if "toll" in line.split("\t")[2] else "Rest", "x"])
        for line in lines[1:]
        if "\tnugget\t" in line
    ]
    mended.append("santiago-2013\trelationship\t\tTolls\tEach toll has both.")
    file.write_text("\n".join([lines[0], *mended]) + "\n", encoding="utf-8")
    assert run([*words, "--categories", str(file)]) == 0
    table = json.loads(capsys.readouterr().out)["categories"]
    assert {row["name"] for row in table["rows"]} == {"Tolls", "Rest"}
    (tolls,) = (row for row in table["rows"] if row["name"] == "Tolls")
    assert tolls["relationship"] == "Each toll has both."
    assert any("Toll" in text for text in tolls["clusters"])
    assert {one["kind"] for one in table["assigned"] if one["suggested"]} == {"cluster"}


@every(
    "words, said",
    [
        ([FOLDER], "Name two folders of judgments, one with nuggets and one with clusters"),
        (
            [FOLDER, FOLDER, "--topic", "TS14.3"],
            "--topic: there is no topic TS14.3. Choose one of santiago-2013",
        ),
        ([FOLDER, FOLDER, "--out", "study.pdf"], "study.pdf: the file name does not say which format"),
        ([FOLDER, "nowhere"], "nowhere"),
        ([FOLDER, FOLDER, "--out", FOLDER + "/clusters.jsonl", "-f", "json"], "clusters.jsonl"),
    ],
)
def test_wrong_input_is_said_in_a_line(words, said, capsys) -> None:
    assert run(["study", *words]) == 2
    assert said in capsys.readouterr().err.replace("\n", " ")


def test_a_folder_without_clusters_is_said(tmp_path, capsys) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    for name in ("event.json", "documents.jsonl", "nuggets.jsonl"):
        (folder / name).write_bytes((Path(FOLDER) / name).read_bytes())
    assert run(["study", FOLDER, str(folder)]) == 2
    assert "no clusters. The second folder must have judgments with clusters" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("year", ["2013", "2014"])
def test_table_1_of_the_paper(year, shared_data) -> None:
    """Updates, nuggets, rel. w/ nuggets; of TS13.5 the data at hand are another snapshot (there: 1069, 108, 82)."""
    made = collect([read_judgments(shared_data / "trec-ts" / year)], silver="most-popular")
    counted = {row.topic: (row.updates, row.nuggets, row.by_nuggets) for row in counts_of(made)}
    listed = [row.split() for line in TABLE_1[year].splitlines() for row in line.split("|")]
    for topic, *figures in listed:
        assert counted[f"TS{topic}"] == tuple(map(int, figures)), topic
    if year == "2013":
        assert counted["TS13.5"] == (2332, 108, 199)


def test_effort_is_read_from_an_exported_project(tmp_path: Path) -> None:
    entries = [
        *(entry(number, 10.0 * number, "nugget", after={"text": "A fire."}) for number in (1, 2, 3)),
        *(entry(number, 10.0 * number) for number in (4, 5, 6, 7)),
        *(entry(number, 10.0 * number, "membership", after={"cluster": "c"}) for number in (8, 9)),
    ]
    made = [
        EntryLine(
            one.seq,
            one.act,
            one.operation,
            one.topic,
            one.layer,
            one.kind,
            one.object_id,
            one.recorded_ms,
            None,
            one.after,
            one.account_id,
            one.account,
        )
        for one in entries
    ]
    event = Event(id="e", title="Storm", query="storm")
    path = tmp_path / "judgments.jsonl"
    first = [ProjectLine("p", 1, ["matching"], idle_s=300), AccountLine(2, "ann"), TopicLine(1, event)]
    write_desk_lines(path, [*first, *made])
    rows = {row.task: row for row in logged_effort(path)}
    assert {task: (row.observed_s, row.assessments) for task, row in rows.items()} == {
        "extraction": (pytest.approx(20), 3),
        "matching": (pytest.approx(40), 4),
        "clusters": (pytest.approx(20), 2),
    }
    # The session's first act took a typical pause: 10 s more for the nuggets.
    compared = compare_effort(
        TaskEffort(row.task, "", row.observed_s, row.estimated_s, row.assessments, 1) for row in rows.values()
    )
    assert compared is not None
    assert (compared.seconds("nuggets"), compared.seconds("clusters")) == (
        pytest.approx(70),
        pytest.approx(20),
    )
    assert compared.ratio == pytest.approx(3.5)


def test_effort_is_read_from_a_desks_store_by_project(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    store, clock = tmp_path / "desk.db", [1_700_000_000.0]
    with open_store(str(store), durable=True) as opened:
        desk = Desk(opened, lambda: clock[0])
        for name, updates in (("ours", 3), ("theirs", 5)):
            judge, project = desk.accounts.add(f"judge-{name}"), desk.projects.add(name)
            desk.projects.set_member(project.id, judge.id, "assessor")
            desk.projects.add_topic(project.id, Event(id="e", title="Storm", query="storm"))
            for number in range(updates):
                clock[0] += 10
                act = Act(key=f"{name}-{number}-key", operation="match", topic=1, account_id=judge.id)
                matches = {"matches": [{"nugget": "n", "automatic": False}]}
                change = Change(judge_layer(judge.id), "matches", f"d-{number}", matches)
                desk.log.record(project.id, act, [change])
    study = ["study", FOLDER, FOLDER, "--seeds", "1", "--format", "json", "--effort", str(store)]
    found = {}
    for name in ("ours", "theirs", ""):
        assert run([*study, *(["--project", name] if name else [])]) == 0
        (task,) = json.loads(capsys.readouterr().out)["effort"]["tasks"]
        found[name] = task["assessments"], task["people"]
    assert found == {"ours": (3, 1), "theirs": (5, 1), "": (8, 2)}
    assert run([*study, "--project", "nobody's"]) == 2
    assert "found no judgment of a project of that name" in capsys.readouterr().err
