"""`tidings explain` for runs of tweets: clusters with what told them, tweets with what they earned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run

pytestmark = pytest.mark.shared_data


def explained(shared_data: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict:
    """What one run of 2017 came to on one topic."""
    folder = shared_data / "rts" / "2017"
    file = str(folder / "runs" / "UDInfoBL-A.gz")
    command = [
        "explain",
        file,
        "RTS106",
        "-j",
        str(folder),
        "--rules",
        "rts-2017-a",
        "--format",
        "json",
        *more,
    ]
    assert run(command) == 0
    return json.loads(capsys.readouterr().out)


def test_clusters_and_tweets_agree(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = explained(shared_data, capsys)
    clusters, tweets = found["Clusters, the missed ones first"], found["Tweets told"]
    told = {row["told by"] for row in clusters if row[""] == "told"}
    assert told == {row["tweet"] for row in tweets if row["what it was"] == "new"}
    assert f"{len(told)} of {len(clusters)} clusters" in found["summary"]
    assert [row[""] for row in clusters] == sorted((row[""] for row in clusters), reverse=False)


def test_days_add_up_to_the_score(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """EG-0 is the mean over days of gain over pushes, silent days and days without a push giving nothing."""
    days = explained(shared_data, capsys)["Days"]
    folder = shared_data / "rts" / "2017"
    file = str(folder / "runs" / "UDInfoBL-A.gz")
    command = [
        "score",
        file,
        "-j",
        str(folder),
        "--rules",
        "rts-2017-a",
        "-m",
        "EG-0",
        "--per-event",
        "-f",
        "jsonl",
    ]
    assert run(command) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    score = next(row["value"] for row in rows if row["event"] == "RTS106")
    by_day = [day["gain"] / day["told"] for day in days if day["told"] and not day[""]]
    assert sum(by_day) / len(days) == pytest.approx(score)


def test_tweet_timelines(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared_data / "ttg" / "2014"
    file = str(next((folder / "runs").iterdir()))
    assert run(["explain", file, "MB003", "-j", str(folder), "--rules", "ttg-2014", "--limit", "2"]) == 0
    assert "clusters told (ttg-2014, official)" in capsys.readouterr().out


@every(
    "words, says",
    cases(__file__, "wrong words", lists=True),
)
def test_wrong_words(
    shared_data: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    folder = shared_data / "rts" / "2017"
    topic, *options = words
    assert run(["explain", str(folder / "runs" / "UDInfoBL-A.gz"), topic, "-j", str(folder), *options]) == 2
    assert says in capsys.readouterr().err


def test_rules_that_are_none_list_all_that_can_be_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", "us.run", "RTS1", "-j", str(tmp_path), "--rules", "nope"]) == 2
    assert "rts-2017-a" in capsys.readouterr().err


def test_a_judged_topic_on_which_nothing_happened_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "qrels.txt").write_text("RTS1 Q0 1 2\nRTS2 Q0 2 0\n")
    (tmp_path / "clusters.json").write_text('{"RTS1": {"clusters": {"c": {"tweets": ["1"]}}}}')
    (tmp_path / "dayepoch.txt").write_text("1 20170729 1501286400\n2 20170730 1501372800\n")
    (tmp_path / "us.run").write_text("RTS2 2 1501372809 us\n")
    words = ["explain", str(tmp_path / "us.run"), "RTS2", "-j", str(tmp_path), "--rules", "rts-2017-a"]
    assert run(words) == 0
    assert "us on RTS2: 0 of 0 clusters told" in capsys.readouterr().out
