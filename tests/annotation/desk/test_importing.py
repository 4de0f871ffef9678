"""What comes in from files and goes out again: row by row the same, and nothing that people did written over."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.annotation.pages.desks import People, bundled_judgments, desk_with
from tidings.annotation.desk.exchange.exporting import export_judgments
from tidings.annotation.desk.exchange.importing import import_judgments
from tidings.annotation.store import Act
from tidings.core.records import Cluster, Judgments, Match, Nugget, PooledUpdate
from tidings.core.records.judgments import FINAL, SHARED, Change, judge_layer
from tidings.evaluation.scoring import scorer_for
from tidings.evaluation.scoring.runs import read_runs
from tidings.sources.streams import read_judgments
from tidings.sources.trec.folder import write_trec_judgments

TABLES = {
    "topics.xml": "<events><event><id>2</id><title>A fire</title><query>fire</query></event>"
    "<event><id>10</id><title>A flood</title><query>flood</query></event></events>",
    "nuggets.tsv": "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n"
    "TS13.10\tb\t10\t-1\t2\ta flood\n"
    "TS13.2\tz\t20\t3\t5\t a fire in Łódź\n"
    "TS13.2\ta\t10\t1\t2\ta fire\n",
    "matches.tsv": "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\n"
    "TS13.10\t30-c-0\tb\t0\t4\t0\n"
    "TS13.2\t20-b-1\tz\t10\t15\t0\n"
    "TS13.2\t10-a-0\ta\t0\t6\t1\n"
    "TS13.2\t20-b-1\ta\t0\t99\t0\n"
    "TS13.10\tgone-1\tb\t0\t4\t0\n"
    "TS13.2\t20-b-1\tunlisted\t0\t2\t0\n"
    "TS13.2\t20-b-1\tz\t10\t15\t0\n",
    "updates_sampled.tsv": "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
    "TS13.2\t20-b-1\t20-b\t1\t6\tNULL\tEs brennt in Łódź: ein \"Feuer\".\n"
    "TS13.10\t30-c-0\t30-c\t0\t2\tNULL\tA flood.\n"
    "TS13.2\t20-b-1\t20-b\t1\t9\tNULL\tThe same id, other words.\n"
    "TS13.2\t10-a-0\t10-a\t0\t2\t20-b-1\tA fire.\n",
}  # fmt: skip
"""All that real folders have: topics out of turn, rows twice, updates out of order, spans beyond the text."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "TS"
    place.mkdir()
    for name, words in TABLES.items():
        (place / name).write_text(words, encoding="utf-8")
    return place


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[People]:
    with desk_with(tmp_path / "desk.db") as people:
        yield people


def exported(people: People) -> Judgments:
    return export_judgments(people.desk, people.project)


def taken(people: People, judgments: Judgments) -> tuple[int, int, int]:
    done = import_judgments(people.desk, people.project, judgments)
    return done.items, done.objects, done.kept


class TestFilesComeBack:
    def test_row_by_row_as_they_were(self, desk: People, folder: Path, tmp_path: Path) -> None:
        given = read_judgments(folder)
        import_judgments(desk.desk, desk.project, given)
        assert exported(desk) == replace(given, name="collection")
        write_trec_judgments(tmp_path / "out", exported(desk))
        for name in ("nuggets.tsv", "matches.tsv", "updates_sampled.tsv"):
            assert (tmp_path / "out" / name).read_bytes() == (folder / name).read_bytes()
        assert read_judgments(tmp_path / "out").events == given.events

    def test_the_bundled_event_comes_back(self, desk: People) -> None:
        given = bundled_judgments()
        import_judgments(desk.desk, desk.project, given)
        assert exported(desk) == replace(given, name="collection", entities=())

    def test_duplicates_and_a_pool_without_header_come_back(self, desk: People) -> None:
        row = PooledUpdate("1", "d", 0, "A fire.", published_time=60)
        given = Judgments(name="collection", pool=(row,), duplicates={"d-0": "e-0"}, pool_headless=True)
        import_judgments(desk.desk, desk.project, given)
        assert replace(exported(desk), events=()) == given

    def test_matches_of_updates_that_were_not_pooled_keep_their_order(self, desk: People) -> None:
        matches = tuple(Match("1", name, "n", 0, 1) for name in ("d-0", "z-1", "a-1"))
        given = Judgments(
            name="collection",
            pool=(PooledUpdate("1", "d", 0, "A fire.", published_time=60),),
            matches=matches,
        )
        import_judgments(desk.desk, desk.project, given)
        assert exported(desk).matches == matches

    @pytest.mark.long
    @pytest.mark.parametrize("year", ["2013", "2014"])
    def test_a_year_of_the_track_comes_back(
        self, desk: People, tmp_path: Path, shared_data: Path, year: str
    ) -> None:
        place = shared_data / "trec-ts" / year
        given = read_judgments(place)
        import_judgments(desk.desk, desk.project, given)
        back = exported(desk)
        assert replace(back, name=given.name) == replace(given, events=back.events)
        assert back.events[: len(given.events)] == given.events
        write_trec_judgments(tmp_path / "out", back)
        for name in ("nuggets.tsv", "matches.tsv", "updates_sampled.tsv") if year == "2014" else ():
            assert (tmp_path / "out" / name).read_bytes() == gzip.decompress(
                (place / f"{name}.gz").read_bytes()
            )
        if year == "2014":
            scorers = [scorer_for("trec-2014", one) for one in (place, tmp_path / "out")]
            runs = [run for path in sorted((place / "runs").iterdir()) for run in read_runs(path)]
            assert len(runs) >= 2
            for run in runs:
                one, other = (scorer.score_run(run) for scorer in scorers)
                assert one == other


class TestImportedAgain:
    def test_nothing_changes(self, desk: People, folder: Path) -> None:
        assert taken(desk, read_judgments(folder)) == (3, 7, 0)
        before = len(list(desk.desk.log.entries(desk.project.id)))
        assert taken(desk, read_judgments(folder)) == (0, 0, 0)
        assert len(list(desk.desk.log.entries(desk.project.id))) == before

    @pytest.mark.parametrize("ended_at", [1, 2])
    def test_one_that_was_ended_in_the_middle_is_made_whole(
        self, desk: People, folder: Path, ended_at: int
    ) -> None:
        given = read_judgments(folder)

        def end(done: int) -> None:
            if done == ended_at:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            import_judgments(desk.desk, desk.project, given, advanced=end)
        import_judgments(desk.desk, desk.project, given)
        assert exported(desk) == replace(given, name="collection")
        assert {entry.seq for entry in desk.desk.log.entries(desk.project.id)} == set(range(1, 8))

    def test_another_version_changes_what_it_says_otherwise(self, desk: People, folder: Path) -> None:
        import_judgments(desk.desk, desk.project, read_judgments(folder))
        table = folder / "nuggets.tsv"
        kept = [line for line in table.read_text(encoding="utf-8").splitlines() if "\ta\t" not in line]
        table.write_text("\n".join(kept).replace("a flood", "a great flood") + "\n", encoding="utf-8")
        later = read_judgments(folder)
        assert taken(desk, later) == (0, 2, 0)
        assert exported(desk).nuggets == later.nuggets
        last = list(desk.desk.log.entries(desk.project.id))[-2:]
        assert [(entry.operation, entry.object_id, entry.after is None) for entry in last] == [
            ("import", "a", True),
            ("import", "b", False),
        ]

    def test_and_the_first_one_after_it_all_is_as_before(self, desk: People, folder: Path) -> None:
        first = read_judgments(folder)
        import_judgments(desk.desk, desk.project, first)
        table = folder / "matches.tsv"
        lines = table.read_text().splitlines()
        table.write_text("\n".join([lines[0], *lines[:0:-1][1:]]) + "\n")
        second = read_judgments(folder)
        import_judgments(desk.desk, desk.project, second)
        assert exported(desk) == replace(second, name="collection")
        import_judgments(desk.desk, desk.project, first)
        assert exported(desk) == replace(first, name="collection")

    def test_what_people_changed_stays(self, desk: People, folder: Path) -> None:
        import_judgments(desk.desk, desk.project, read_judgments(folder))
        log, project = desk.desk.log, desk.project.id
        mine = {"text": "a large fire", "importance": 2, "time": 10, "needs": []}
        act = Act(key="edit", operation="edit-nugget", topic=1, account_id=desk.first.id)
        log.record(
            project, act, [Change(SHARED, "nugget", "a", mine), Change(FINAL, "matches", "10-a-0", None)]
        )
        assert taken(desk, read_judgments(folder)) == (0, 0, 2)
        assert log.object(project, 1, SHARED, "nugget", "a").value == mine  # type: ignore[union-attr]
        assert log.object(project, 1, FINAL, "matches", "10-a-0").value is None  # type: ignore[union-attr]

    def test_what_people_added_stays_where_a_file_does_not_have_it(self, desk: People, folder: Path) -> None:
        import_judgments(desk.desk, desk.project, read_judgments(folder))
        value = {"text": "new", "importance": 2, "time": 10, "needs": []}
        act = Act(key="add", operation="add-nugget", topic=1, account_id=desk.first.id)
        desk.desk.log.record(desk.project.id, act, [Change(SHARED, "nugget", "mine", value)])
        assert taken(desk, read_judgments(folder)) == (0, 0, 0)
        assert [nugget.id for nugget in exported(desk).nuggets] == ["b", "z", "a", "mine"]

    def test_a_nugget_stays_that_somebody_has_matched(self, desk: People, folder: Path) -> None:
        given = read_judgments(folder)
        import_judgments(desk.desk, desk.project, given)
        topic = next(one.number for one in desk.desk.projects.topics(1) if one.event.id.endswith("2"))
        told = {"matches": [{"nugget": "z", "start": 0, "end": 2, "automatic": False}]}
        act = Act(key="match-it", operation="match", topic=topic, account_id=desk.first.id)
        desk.desk.log.record(1, act, [Change(judge_layer(desk.first.id), "matches", "10-a-0", told)])
        fewer = tuple(one for one in given.nuggets if one.id != "z")
        assert taken(desk, replace(given, nuggets=fewer))[2] == 1
        assert "z" in {one.id for one in exported(desk).nuggets}

    def test_topics_are_known_with_the_tracks_prefix_and_without(self, desk: People, folder: Path) -> None:
        import_judgments(desk.desk, desk.project, read_judgments(folder))
        bare = Judgments(name="more", nuggets=(Nugget("2", "y", 1, 1, "smoke"),))
        assert import_judgments(desk.desk, desk.project, bare).topics == 1
        assert len(desk.desk.projects.topics(desk.project.id)) == 2


def test_an_update_in_two_clusters_is_kept_in_the_first(desk: People) -> None:
    pool = tuple(PooledUpdate("1", "d", n, "A fire.", published_time=60) for n in range(2))
    clusters = (Cluster("1", "c1", ("d-0", "d-1")), Cluster("1", "c2", ("d-1",)))
    given = Judgments(name="collection", pool=pool, clusters=clusters)
    assert import_judgments(desk.desk, desk.project, given).doubled == 1
    assert [one.update_ids for one in exported(desk).clusters] == [("d-0", "d-1"), ()]


def test_without_matches_nothing_counts_as_judged(desk: People) -> None:
    row = PooledUpdate("1", "1326502200-d", 0, "A fire.")
    import_judgments(desk.desk, desk.project, Judgments(name="collection", pool=(row,)))
    assert desk.desk.log.count_objects(desk.project.id) == {}
    assert [item.time for item in desk.desk.projects.items(desk.project.id, 1, "update")] == [1326502200]


class TestSpans:
    """Characters at the desk, bytes in TREC's tables."""

    def judged(self, desk: People) -> Judgments:
        text = "Núñez was there, café too."
        pool = (PooledUpdate("1", "d", 0, text, published_time=60),)
        nuggets = (Nugget("1", "n", 60, 3, "Núñez was there"),)
        given = Judgments(name="own", pool=pool, nuggets=nuggets, matches=(Match("1", "d-0", "n", 6, 15),))
        import_judgments(desk.desk, desk.project, given)
        return given

    def test_own_ones_are_characters(self, desk: People) -> None:
        given = self.judged(desk)
        assert exported(desk).matches == given.matches and not exported(desk).byte_spans

    def test_and_written_in_bytes_for_the_official_scorers(self, desk: People, tmp_path: Path) -> None:
        self.judged(desk)
        written = export_judgments(desk.desk, desk.project, byte_spans=True)
        match = written.matches[0]
        words = written.pool[0].text.encode()[match.start : match.end]
        assert words.decode() == "was there"

    def test_those_of_a_trec_file_come_back_as_it_had_them(self, desk: People, folder: Path) -> None:
        given = read_judgments(folder)
        import_judgments(desk.desk, desk.project, given)
        own = {"nugget": "a", "start": 13, "end": 17, "automatic": False}
        listed = desk.desk.log.object(desk.project.id, 1, FINAL, "matches", "20-b-1").value  # type: ignore[union-attr]
        act = Act(key="add", operation="match", topic=1, account_id=desk.first.id)
        both = {"matches": [*listed["matches"], own]}
        desk.desk.log.record(desk.project.id, act, [Change(FINAL, "matches", "20-b-1", both)])
        back = exported(desk).matches
        assert set(given.matches) <= set(back)
        assert Match("TS13.2", "20-b-1", "a", 13, 20) in back  # Łódź: 7 bytes
