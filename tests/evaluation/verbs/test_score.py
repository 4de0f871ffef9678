"""`tidings score` and `tidings measures`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run
from tidings.evaluation.measures.trec_ts.automatic import SPREAD, THRESHOLD
from tidings.sources import bundled

EVENT = "santiago-2013"


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A run of three sentences of the bundled event: two that say something, one that nobody wrote."""
    documents = [json.loads(line) for line in (bundled.path() / "documents.jsonl").read_text().splitlines()]
    matches = [
        json.loads(line)["update"] for line in (bundled.path() / "matches.jsonl").read_text().splitlines()
    ]
    published = {document["id"]: document["published_time"] for document in documents}
    lines = []
    for update in dict.fromkeys(matches[:40:20]):
        doc, _, index = update.rpartition("-")
        lines.append(f"{EVENT} me mine {doc} {index} {published[doc]} 1.0")
    lines.append(f"{EVENT} me mine nobody 0 1374800000 0.5")
    path = tmp_path / "mine.run"
    path.write_text("\n".join(lines) + "\n")
    return path


def score(*arguments: object) -> int:
    return run(["score", *map(str, arguments), "--judgments", str(bundled.path())])


class TestScore:
    def test_a_table_shows_the_ten_plain_measures(self, told: Path, capsys) -> None:
        assert score(told) == 0
        head, _, row = capsys.readouterr().out.splitlines()
        assert head.split() == [
            "team",
            "run",
            "event",
            "updates",
            "E[G]",
            "nE[G]",
            "E[LG]",
            "nE[LG]",
            "C",
            "LC",
            "H",
            "E[V]",
            "E[L]",
        ]
        assert row.split()[:5] == ["me", "mine", "all", "1", "3.0000"]

    def test_judgments_may_stand_first_and_measures_last(self, told: Path, capsys) -> None:
        assert score(told, "--measures", "C,H") == 0
        usual = capsys.readouterr()
        assert run(["score", str(bundled.path()), str(told), "C", "H"]) == 0
        assert capsys.readouterr() == usual
        assert run(["score", str(told), "C"]) == 2
        assert "--judgments FOLDER" in capsys.readouterr().err

    def test_a_last_word_that_is_no_measure_is_a_missing_run(self, told: Path, capsys) -> None:
        assert run(["score", str(bundled.path()), str(told), "other.run"]) == 2
        assert "other.run" in capsys.readouterr().err

    def test_a_file_called_as_a_measure_is_a_run(self, told: Path, capsys, monkeypatch) -> None:
        monkeypatch.chdir(told.parent)
        told.rename("H")
        assert run(["score", str(bundled.path()), "H", "H"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 4

    def test_long_has_a_line_for_each_value(self, told: Path, capsys) -> None:
        assert score(told, "-f", "long", "-m", "C,updates", "--per-event") == 0
        head, *lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        assert head == ["run", "event", "measure", "value"]
        assert [line[:3] for line in lines] == [
            ["me mine", event, measure] for event in (EVENT, "all") for measure in ("C", "updates")
        ]
        assert lines[1][3] == "3.0"

    def test_the_row_names_the_events_of_its_mean(self, shared_data: Path, capsys) -> None:
        """The mean of 2013's rules leaves silent events out, `-c` does not; three of twelve are silent here."""
        folder = shared_data / "trec-ts" / "2013"
        command = ["score", str(folder), str(folder / "runs/synthA.run.gz"), "C", "C@86400s"]
        assert run(command) == 0
        own = capsys.readouterr()
        assert "own 9 of 12" in own.out
        assert own.err.count("measures over time leave out TS13.TEST1, TS13.TEST2") == 1
        assert run([*command, "-c"]) == 0
        assert "all 12" in capsys.readouterr().out

    def test_a_mode_that_the_rules_do_not_have_is_refused(self, told: Path, capsys) -> None:
        assert score(told, "--mode", "guideline") == 2
        said = capsys.readouterr()
        assert "--mode guideline with trec-2014 (expected official)" in said.err
        assert said.out == ""

    def test_jsonl_gives_one_object_a_line_with_all_nineteen(self, told: Path, capsys) -> None:
        assert score(told, "--per-event", "--format", "jsonl") == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert list(rows[0]) == ["team", "run", "event", "measure", "value"]
        assert list(dict.fromkeys(row["event"] for row in rows)) == [
            EVENT,
            "all",
            "all.std",
            "all.min",
            "all.max",
        ]
        assert len({row["measure"] for row in rows}) == 19
        by_name = {(row["event"], row["measure"]): row["value"] for row in rows}
        assert 0 < by_name[EVENT, "C"] == by_name["all", "C"] < 1
        assert by_name["all.std", "C"] == 0
        assert by_name[EVENT, "C"] != round(by_name[EVENT, "C"], 4), "values are not rounded"

    def test_measures_are_chosen_by_name_and_cut_off_in_time(self, told: Path, capsys) -> None:
        assert score(told, "--measures", "C@0,C@999999 nI[C]", "-m", "H") == 0
        head, _, row = capsys.readouterr().out.splitlines()
        assert head.split()[3:] == ["C@0s", "C@999999s", "nI[C]", "H"]
        early, late, *_ = map(float, row.split()[4:])
        assert early == 0 < late

    def test_skipping_and_binary_change_what_they_say(self, told: Path, capsys) -> None:
        assert score(told, "--unpooled", "skip", "-m", "updates") == 0
        assert capsys.readouterr().out.split()[-1] == "2.0000"
        score(told, "-m", "C", "-f", "tsv")
        graded = capsys.readouterr().out.split()[-1]
        score(told, "-m", "C", "-f", "tsv", "--relevance", "binary")
        assert capsys.readouterr().out.split()[-1] != graded

    @pytest.mark.parametrize(
        ("form", "start"), [("tsv", "team\trun"), ("markdown", "| team |"), ("latex", r"\begin{tabular}")]
    )
    def test_other_forms(self, told: Path, capsys, form: str, start: str) -> None:
        assert score(told, "--format", form) == 0
        assert capsys.readouterr().out.startswith(start)

    def test_several_runs_in_several_files(self, told: Path, tmp_path: Path, capsys) -> None:
        other = tmp_path / "other.run"
        other.write_text(told.read_text().replace(" mine ", " other "))
        assert score(told, other) == 0
        assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[2:]] == ["mine", "other"]


class TestWrongInput:
    @every(
        "text, says",
        [
            ("", "an empty file"),
            (f"{EVENT} me mine doc 0 5\n", "bad.run:1: 6 columns"),
            (
                f"{EVENT} me mine doc 0 5 1\n\n{EVENT} me mine doc zero 5 1\n",
                "bad.run:3: sentence_id 'zero'",
            ),
            (f"{EVENT} me mine doc 0 1.5e9x 1\n", "decision_time"),
            (f"{EVENT} me mine doc 0 5 nan\n", "confidence 'nan'"),
            ("elsewhere me mine doc 0 5 1\n", "bad.run:1: event 'elsewhere'"),
            ('{"event": "x"}\n', "JSON"),
        ],
    )
    def test_one_clear_message_and_exit_code_2(self, tmp_path: Path, capsys, text: str, says: str) -> None:
        path = tmp_path / "bad.run"
        path.write_text(text)
        assert score(path) == 2
        printed = capsys.readouterr()
        assert says in printed.err and "Traceback" not in printed.err
        assert printed.out == ""

    def test_bad_lines_are_reported_together_or_skipped_and_counted(self, told: Path, capsys) -> None:
        told.write_text(told.read_text() + "one two\nthree\n")
        assert score(told) == 2
        assert "mine.run:4" in (errors := capsys.readouterr().err) and "mine.run:5" in errors
        assert score(told, "--lenient") == 0
        assert "skipped 2 bad lines" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "says"),
        cases(__file__, "wrong words", lists=True),
    )
    def test_wrong_words(self, told: Path, capsys, arguments: list[str], says: str) -> None:
        assert score(told, *arguments) == 2
        assert says in capsys.readouterr().err

    def test_a_folder_without_judgments(self, told: Path, tmp_path: Path, capsys) -> None:
        assert run(["score", str(told), "--judgments", str(tmp_path)]) == 2
        assert "no nuggets" in capsys.readouterr().err


class TestMeasures:
    def test_the_list_names_every_measure(self, capsys) -> None:
        from tidings.evaluation.measures import every_measure

        assert run(["measures"]) == 0
        printed = capsys.readouterr().out
        assert all(f"\n{info.name} " in printed for info in every_measure().values())

    def test_a_name_of_two_families_is_explained_for_both(self, capsys) -> None:
        assert run(["measures", "ELG"]) == 0
        printed = capsys.readouterr().out
        assert "TREC 2013" in printed and "TREC Microblog 2015" in printed and "EG-1" not in printed

    def test_one_is_explained(self, capsys) -> None:
        assert run(["measures", "nE[LG]"]) == 0
        assert "E[LG] / Z" in capsys.readouterr().out

    def test_an_unknown_one_is_an_error(self, capsys) -> None:
        assert run(["measures", "nE[LGG]"]) == 2
        assert "did you mean" in capsys.readouterr().err


RUNS = {
    "values-2013": "santiago-2013 me r1 NULL NULL 1374691260 deaths 79 1\n",
    "umass-2001": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "msu-2015": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "clusters-2017": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "nuggets-as-clusters": "santiago-2013 me r1 1374691950-canal 0 1374691950 1\n",
    "entities-2015": json.dumps(
        {"event": "santiago-2013", "date": "2013-07-24", "entities": ["Angrois"], "team": "me", "run": "r1"}
    ),
    "crisisfacts-2022": json.dumps(
        {"requestID": "santiago-2013-r0", "factText": "A train has derailed.", "unixTimestamp": 1374691950,
         "importance": 1, "sources": ["1374691950-canal-0"], "streamID": None, "informationNeeds": []}
    ),
}  # fmt: skip
RUNS["crisisfacts-2023"] = RUNS["crisisfacts-2022"]
MEASURES = cases(__file__, "measures")


def put(folder: Path, rules: str, text: str | None = None) -> Path:
    text = RUNS[rules] if text is None else text
    path = folder / ("run.jsonl" if text.startswith("{") else "values.run")
    path.write_text(text)
    return path


def scored(path: Path, rules: str, capsys, *options: str) -> list[dict]:
    assert (
        run(["score", str(path), "-j", str(bundled.path()), "--rules", rules, "-f", "jsonl", *options]) == 0
    )
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@every("rules", RUNS)
def test_every_family_gives_its_measures_for_each_event_unrounded(tmp_path: Path, capsys, rules: str) -> None:
    rows = scored(put(tmp_path, rules), rules, capsys, "--per-event")
    events = [row for row in rows if not row["event"].startswith("all")]
    assert list(dict.fromkeys(row["measure"] for row in rows)) == MEASURES[rules].split()
    assert {row["event"].split("/")[0] for row in events} == {"santiago-2013"}
    assert all(isinstance(row["value"], float) for row in rows)


def test_the_values_are_those_of_the_library(tmp_path: Path, capsys) -> None:
    values = {
        row["measure"]: row["value"] for row in scored(put(tmp_path, "values-2013"), "values-2013", capsys)
    }
    assert values["EE[deaths]"] < values["EE0[deaths]"]
    assert values["EE[location]"] == values["EE0[location]"] == 20038.0


def test_guideline_is_half_the_equator(tmp_path: Path, capsys) -> None:
    path = put(tmp_path, "values-2013")
    rows = scored(path, "values-2013", capsys, "--mode", "guideline", "-m", "EE[location]")
    assert rows[0]["value"] == pytest.approx(20037.508, abs=1e-3)


def test_topics_with_values_are_judgments_enough(tmp_path: Path, capsys) -> None:
    """A topics file of 2013 as its guidelines print one: the toll of the end, and a storm that moves."""
    (tmp_path / "topics.xml").write_text(
        "<events><event><id>6</id><title>Hurricane Sandy</title><start>1351090800</start><end>1351954800</end>"
        "<query>hurricane sandy</query><type>storm</type><locations><location>"
        "<value><latitude>18.0</latitude><longitude>-76.8</longitude><time>1351090800</time></value>"
        "<value><latitude>40.7</latitude><longitude>-74.0</longitude><time>1351522800</time></value>"
        "</location></locations>"
        "<deaths><value><count>233</count><time>1351954800</time></value></deaths></event></events>"
    )
    path = tmp_path / "values.run"
    path.write_text(
        "6 me r1 NULL NULL 1351090700 deaths 0 1\n6 me r1 NULL NULL 1351090700 location 18.0,-76.8 1\n"
    )
    assert (
        run(["score", str(path), "-j", str(tmp_path), "--rules", "values-2013", "-f", "jsonl", "--per-event"])
        == 0
    )
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    values = {row["measure"]: row["value"] for row in rows if row["event"] == "6"}
    assert values["EE[deaths]"] == values["EE0[deaths]"] == 233
    # The storm moves half way through: half of the 2,531 km from 18 N 76.8 W to 40.7 N 74 W.
    assert values["EE[location]"] == pytest.approx(2531 / 2, rel=1e-3)


def test_measures_are_cut_off_at_a_rank(tmp_path: Path, capsys) -> None:
    rows = scored(put(tmp_path, "entities-2015"), "entities-2015", capsys, "-m", "P@2,SRDP@5")
    assert {row["measure"] for row in rows} == {"P@2", "SRDP@5"}


@every("rules", RUNS)
def test_an_unknown_event_is_named_with_its_line(tmp_path: Path, capsys, rules: str) -> None:
    odd = put(tmp_path, rules, RUNS[rules].replace("santiago-2013", "elsewhere"))
    assert run(["score", str(odd), "-j", str(bundled.path()), "--rules", rules]) == 2
    said = capsys.readouterr().err
    assert f"{odd.name}:1: " in said and "elsewhere" in said


@every("rules", RUNS)
def test_a_bad_line_is_named_or_skipped_and_counted(tmp_path: Path, capsys, rules: str) -> None:
    bad = put(tmp_path, rules, RUNS[rules].rstrip("\n") + "\nnot a line of this\n")
    arguments = ["score", str(bad), "-j", str(bundled.path()), "--rules", rules]
    assert run(arguments) == 2
    assert f"{bad.name}:2: " in capsys.readouterr().err
    assert run([*arguments, "--lenient"]) == 0
    assert "skipped 1 bad line" in capsys.readouterr().err


def test_links_of_2001_in_their_own_table(tmp_path: Path, capsys) -> None:
    links = "topic_id\tevent_id\tsentence_id\nsantiago-2013\t1\t1374691950-canal-0\nsantiago-2013\t-\tx-0\n"
    (tmp_path / "links.tsv").write_text(links)
    path = put(tmp_path, "umass-2001")
    assert run(["score", str(path), "-j", str(tmp_path), "--rules", "umass-2001", "-f", "jsonl"]) == 0
    values = {row["measure"]: row["value"] for row in map(json.loads, capsys.readouterr().out.splitlines())
              if row["event"] == "all"}  # fmt: skip
    assert (values["nu-R"], values["size"]) == (1.0, 0.5)


def test_requests_of_ones_own(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    for file in Path(bundled.path()).glob("*.json*"):
        (folder / file.name).write_bytes(file.read_bytes())
    request = {"request": "whole", "event": "santiago-2013", "start": 0, "end": "2013-12-31T00:00:00Z"}
    (folder / "requests.jsonl").write_text(json.dumps(request))
    path = put(tmp_path, "crisisfacts-2022", RUNS["crisisfacts-2022"].replace("santiago-2013-r0", "whole"))
    assert run(["score", str(path), "-j", str(folder), "--rules", "crisisfacts-2022"]) == 0


@every(
    "rules, said",
    [("values-2013", "no target values"), ("entities-2015", "no graded entities"), ("clusters-2017", "no event"),
     ("msu-2015", "no nuggets"), ("umass-2001", "no sentence"), ("crisisfacts-2023", "no nugget")],
)  # fmt: skip
def test_a_folder_without_such_judgments(tmp_path: Path, capsys, rules: str, said: str) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    for name in ("event.json", "documents.jsonl"):
        (folder / name).write_bytes((Path(bundled.path()) / name).read_bytes())
    assert run(["score", str(put(tmp_path, rules)), "-j", str(folder), "--rules", rules]) == 2
    assert said in capsys.readouterr().err


def test_help_says_the_defaults_of_possible_matches(capsys) -> None:
    assert run(["score", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        f"automatic match (default: {THRESHOLD:g})." in shown and f"log-odds (default: {SPREAD:g})." in shown
    )
