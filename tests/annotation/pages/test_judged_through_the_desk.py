"""Check of the whole way: the bundled event judged through the desk's API, exported, and scored as it was shipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.annotation.pages.desks import People, bundled_judgments, client_of, desk_with
from tidings.annotation.desk.exchange.bringing import restore
from tidings.annotation.desk.exchange.folders import export_folder
from tidings.annotation.desk.pools import TopicPool
from tidings.core.records import Judgments, Run, Update
from tidings.evaluation.formats.desk_lines import read_desk_lines
from tidings.evaluation.scoring import scorer_for
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

API = "/api/projects/1/topics/1"


class Assessor:
    """Somebody who knows the shipped judgments, and gives them by what the pages' scripts call."""

    def __init__(self, people: People, shipped: Judgments) -> None:
        self.client = client_of(people, people.first)
        self.shipped = shipped
        self.candidates = TopicPool(shipped.pool).candidates
        self.acts = 0
        self.nuggets: dict[str, str] = {}

    def act(self, path: str, **body: Any) -> Any:
        self.acts += 1
        answer = self.client.post(f"{API}/{path}", json={"key": f"act-{self.acts:06}", **body})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def list_nuggets(self) -> None:
        for one in self.shipped.nuggets:
            made = self.act("nuggets/add", text=one.text, importance=one.importance, time=one.time)
            self.nuggets[one.id] = made["objects"][0]["id"]

    def match(self, most: int | None = None) -> None:
        listed: dict[str, list[dict[str, Any]]] = {}
        for one in self.shipped.matches:
            span = {"nugget": self.nuggets[one.nugget_id], "start": one.start, "end": one.end}
            listed.setdefault(one.update_id, []).append(span)
        for candidate in self.candidates[:most]:
            self.act("matching", update=candidate.id, matches=listed.get(candidate.id, []))

    def cluster(self, most: int | None = None) -> None:
        names = {update: one for one in self.shipped.clusters for update in one.update_ids}
        made: set[str] = set()
        for candidate in self.candidates[:most]:
            own = names.get(candidate.id)
            if own is None:
                self.act("clusters/remove", update=candidate.id)
            elif own.id in made:
                self.act("clusters/add", update=candidate.id, cluster=own.id)
            else:
                made.add(own.id)
                self.act("clusters/new", update=candidate.id, cluster=own.id, label=own.label)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[People]:
    """A desk with the bundled event's pool, and nothing else."""
    with desk_with(tmp_path / "desk.db", replace(bundled_judgments(judged=False), nuggets=())) as people:
        yield people


def runs_of(shipped: Judgments) -> list[Run]:
    return [
        Run("us", f"every {step}", tuple(
            Update("santiago-2013", row.doc_id, row.sentence_index, row.published_time + 60 * step, 1.0 / (1 + n))
            for n, row in enumerate(shipped.pool[start::step])
        ))
        for start, step in ((0, 1), (1, 3), (2, 7))
    ]  # fmt: skip


@pytest.mark.long
def test_scores_as_it_was_shipped(empty: People, tmp_path: Path) -> None:
    shipped = bundled_judgments()
    assessor = Assessor(empty, shipped)
    assessor.list_nuggets()
    assessor.match()
    assessor.cluster()
    export_folder(empty.desk, empty.project, tmp_path / "out")
    back = read_judgments(tmp_path / "out")
    ids = {new: old for old, new in assessor.nuggets.items()}
    assert {(m.update_id, ids[m.nugget_id]) for m in back.matches} == {
        (m.update_id, m.nugget_id) for m in shipped.matches
    }
    assert {(one.id, one.label, frozenset(one.update_ids)) for one in back.clusters} == {
        (one.id, one.label, frozenset(one.update_ids)) for one in shipped.clusters
    }
    for rules in ("trec-2014", "trec-2015", "clusters-2017", "umass-2001"):
        before, after = scorer_for(rules, bundled.path()), scorer_for(rules, tmp_path / "out")
        for run in runs_of(shipped):
            one, other = before.score_run(run), after.score_run(run)
            assert one.per_event.keys() == other.per_event.keys()
            for event, values in one.per_event.items():
                assert values == pytest.approx(other.per_event[event], rel=1e-9, nan_ok=True), rules
    with desk_with(tmp_path / "again.db") as other_desk:
        done = restore(other_desk.desk, read_desk_lines(tmp_path / "out" / "judgments.jsonl"), "again")
        export_folder(other_desk.desk, done.project, tmp_path / "again")
    for path in (tmp_path / "out").iterdir():
        if path.name != "judgments.jsonl":  # which says the project's name
            assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


def test_what_was_judged_of_it_is_what_was_shipped(empty: People, tmp_path: Path) -> None:
    whole = bundled_judgments()
    first = {one.id for one in TopicPool(whole.pool).candidates[:5]}
    told = {match.nugget_id for match in whole.matches if match.update_id in first}
    shipped = replace(
        whole,
        nuggets=tuple(one for one in whole.nuggets if one.id in told),
        matches=tuple(one for one in whole.matches if one.nugget_id in told),
    )
    assessor = Assessor(empty, shipped)
    assessor.list_nuggets()
    assessor.match(5)
    assessor.cluster(5)
    done = export_folder(empty.desk, empty.project, tmp_path / "out", judged_only=True)
    ids = {new: old for old, new in assessor.nuggets.items()}
    judged = {row.id for row in done.judgments.pool}
    assert judged >= first and done.unjudged == len(shipped.pool) - len(judged)
    assert sorted((m.update_id, ids[m.nugget_id]) for m in done.judgments.matches) == sorted(
        (m.update_id, m.nugget_id) for m in shipped.matches if m.update_id in judged
    )
    assert [nugget.text for nugget in done.judgments.nuggets] == [nugget.text for nugget in shipped.nuggets]
    clusters = {one.id: set(one.update_ids) & judged for one in shipped.clusters}
    expected = {name: own for name, own in clusters.items() if own}
    assert {one.id: set(one.update_ids) for one in done.judgments.clusters} == expected
