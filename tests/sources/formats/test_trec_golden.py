"""The TREC files themselves: how many rows they hold, and that nothing of them is lost on the way there and back.

Origin of the counts: TREC's track overviews (nuggets by importance, matches and automatic ones, pooled updates), and
`wc -l` of the files.
"""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.core.columns import UpdateColumns
from tidings.evaluation.convert import convert
from tidings.following.outputs.runs import read_runs, write_runs
from tidings.sources.streams import read_judgments
from tidings.sources.trec.judgments import read_matches, read_nuggets, read_pool, read_pool_table
from tidings.sources.trec.topics import read_topics

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="module")
def trec(shared_data: Path) -> Path:
    return shared_data / "trec-ts"


class TestCounts:
    @every(
        "year, importances",
        [("2013", {-1: 5, 1: 588, 2: 468, 3: 279}), ("2014", {1: 688, 2: 386, 3: 320})],
    )
    def test_nuggets(self, trec: Path, year: str, importances: dict[int, int]) -> None:
        nuggets = read_nuggets(trec / year / "nuggets.tsv.gz")
        assert Counter(nugget.importance for nugget in nuggets) == importances
        assert len(nuggets) == {"2013": 1340, "2014": 1394}[year]

    @every("year, rows, automatic", [("2013", 5157, 33), ("2014", 13635, 1003)])
    def test_matches(self, trec: Path, year: str, rows: int, automatic: int) -> None:
        matches = read_matches(trec / year / "matches.tsv.gz")
        assert (len(matches), sum(match.automatic for match in matches)) == (rows, automatic)

    @every(
        "file, rows, duplicates, headless",
        cases(__file__, "pools"),
    )
    def test_pools(self, trec: Path, file: str, rows: int, duplicates: int | None, headless: bool) -> None:
        pool, without_header = read_pool_table(trec / file)
        assert (len(pool), without_header) == (rows, headless)
        if duplicates is not None:
            assert sum(bool(update.duplicate_of) for update in pool) == duplicates

    def test_topics(self, trec: Path) -> None:
        assert [event.id for event in read_topics(trec / "2013" / "topics.xml")] == [
            str(n) for n in range(1, 11)
        ]
        topics = read_topics(trec / "2014" / "topics.xml")
        assert [event.id for event in topics] == [str(n) for n in range(11, 26)]
        assert all(event.start_time < event.end_time and event.query for event in topics)

    def test_runs(self, trec: Path) -> None:
        runs = read_runs(trec / "2014" / "runs" / "cunlp.run.gz")
        lengths = {run.name: len(run.updates) for run in runs}
        assert lengths == {"1APSalRed": 15974, "2APSal": 5721, "3AP": 89505}
        assert all(isinstance(run.updates, UpdateColumns) for run in runs)
        assert {update.event_id for update in runs[0].updates} == {str(n) for n in range(11, 26)}

    def test_judgments_call_events_as_the_nuggets_do(self, trec: Path) -> None:
        for year in ("2013", "2014"):
            judged = read_judgments(trec / year)
            events = {event.id for event in judged.events}
            # The nuggets of 2013 still hold those of two test events, which have no topics.
            judged_events = {nugget.event_id for nugget in judged.nuggets if "TEST" not in nugget.event_id}
            assert judged_events <= events
            assert all(event_id.startswith(f"TS{year[2:]}.") for event_id in events)


class TestOffsets:
    """Spans count characters: so cut, those in texts beyond ASCII begin and end where words do."""

    @every("year, pool", [("2013", "updates.tsv.gz"), ("2014", "updates_sampled.tsv.gz")])
    def test_they_hold_whole_words_by_characters_and_not_by_bytes(
        self, trec: Path, year: str, pool: str
    ) -> None:
        texts = {update.id: update.text for update in read_pool(trec / year / pool)}
        by_characters = by_bytes = total = 0
        for match in read_matches(trec / year / "matches.tsv.gz"):
            text = texts.get(match.update_id, "")
            # Where no letter beyond ASCII stands before the span, both ways agree.
            if text[: match.start].isascii() or match.end > len(text):
                continue
            total += 1
            by_characters += _whole(text, match.start, match.end)
            data = text.encode().decode("latin-1")
            by_bytes += _whole(data, match.start, match.end)
        # 83 % (2013) and 96 % (2014) by characters, as in plain ASCII texts; 8 % and 13 % by bytes.
        assert total > 90
        assert by_characters > 0.8 * total
        assert by_bytes < 0.2 * total


def _whole(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() and text[start : start + 1].isalnum()) and not (
        text[end - 1 : end].isalnum() and text[end : end + 1].isalnum()
    )


class TestThereAndBack:
    """Through tidings' own formats and back, every byte of the tables is as it was."""

    @pytest.mark.parametrize(
        ("year", "pool", "file", "written"),
        [
            ("2013", "sampled", "updates.tsv", "updates_sampled.tsv"),
            ("2014", "sampled", "updates_sampled.tsv", "updates_sampled.tsv"),
            pytest.param(
                "2014",
                "extended",
                "updates_sampled.extended.tsv",
                "updates_sampled.extended.tsv",
                marks=pytest.mark.long,
            ),
        ],
    )
    def test_a_folder(
        self, trec: Path, tmp_path: Path, year: str, pool: str, file: str, written: str
    ) -> None:
        convert(trec / year, tmp_path / "own", pool=pool)
        convert(tmp_path / "own", tmp_path / "trec")
        for name, again in (("nuggets.tsv", "nuggets.tsv"), ("matches.tsv", "matches.tsv"), (file, written)):
            original = gzip.decompress((trec / year / f"{name}.gz").read_bytes())
            if year == "2013" and name == "matches.tsv":
                original = original.partition(b"\n")[2]  # its header has blanks where tabs should be
                assert (tmp_path / "trec" / again).read_bytes().partition(b"\n")[2] == original
            else:
                assert (tmp_path / "trec" / again).read_bytes() == original
        assert read_topics(tmp_path / "trec" / "topics.xml") == read_topics(trec / year / "topics.xml")

    def test_a_run(self, trec: Path, tmp_path: Path) -> None:
        original = trec / "2014" / "runs" / "cunlp.run.gz"
        write_runs(tmp_path / "a.jsonl.zst", read_runs(original))
        write_runs(tmp_path / "a.run", read_runs(tmp_path / "a.jsonl.zst"))
        again = (tmp_path / "a.run").read_bytes().replace(b"\t", b" ")
        assert again == gzip.decompress(original.read_bytes())
