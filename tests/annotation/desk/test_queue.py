"""Who judges what next."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.annotation.pages.desks import People, bundled_judgments, desk_with
from tidings.annotation.desk.notes import reopen
from tidings.annotation.desk.pools import topic_pool
from tidings.annotation.desk.queue import KEEP_S, assign, queue_of, take_next, task_named
from tidings.annotation.store import Act, Claim, Standing
from tidings.core.errors import ConflictError
from tidings.core.records.judgments import FINAL, Change, judge_layer

MATCHING = task_named("matching")
CLUSTERS = task_named("clusters")
assert MATCHING is not None and CLUSTERS is not None


class TestAssign:
    def test_what_is_held_and_not_judged_comes_before_anything_new(self) -> None:
        standing = Standing(holders={"b": {1: 5}})
        assert assign("abc", standing, 1, limit=1, now=9).item_id == "b"  # type: ignore[union-attr]

    def test_what_was_judged_without_a_claim_counts_too(self) -> None:
        standing = Standing(judged={"a": {2}})
        assert assign("ab", standing, 1, limit=1, now=9).item_id == "b"  # type: ignore[union-attr]
        assert assign("ab", standing, 1, limit=2, now=9).item_id == "a"  # type: ignore[union-attr]
        assert assign("a", standing, 2, limit=2, now=9) is None

    def test_what_is_decided_is_in_nobodys_queue(self) -> None:
        standing = Standing(holders={"a": {1: 5}}, decided={"a"})
        assert assign("a", standing, 1, limit=2, now=9) is None
        assert assign("a", standing, 2, limit=2, now=9) is None

    def test_a_claim_lapses_only_when_unjudged_and_long_ago(self) -> None:
        old = Standing(holders={"a": {2: 0}})
        assert assign("a", old, 1, limit=1, now=KEEP_S) is None
        assert assign("a", old, 1, limit=1, now=KEEP_S + 1).lapsed == (2,)  # type: ignore[union-attr]
        judged = Standing(holders={"a": {2: 0}}, judged={"a": {2}})
        assert assign("a", judged, 1, limit=1, now=KEEP_S + 1) is None

    def test_no_claim_is_taken_back_while_there_is_room(self) -> None:
        old = Standing(holders={"a": {2: 0}})
        assert assign("a", old, 1, limit=2, now=KEEP_S + 1).lapsed == ()  # type: ignore[union-attr]

    def test_no_more_are_taken_back_than_make_room(self) -> None:
        old = Standing(holders={"a": {2: 0, 3: 1}})
        assert assign("a", old, 1, limit=2, now=KEEP_S + 9).lapsed == (2,)  # type: ignore[union-attr]


@pytest.fixture
def double(tmp_path: Path) -> People:
    with desk_with(tmp_path / "d.db", bundled_judgments(judged=False), judges=2) as people:
        yield people


def judge(people: People, account: int, update: str, key: str) -> None:
    act = Act(key=key, operation="match", topic=1, account_id=account, claim=Claim("matching", update, 2))
    people.desk.log.record(
        people.project.id, act, [Change(judge_layer(account), "matches", update, {"matches": []})]
    )


class TestQueue:
    def test_an_item_stays_ones_own_until_it_is_judged(self, double: People) -> None:
        mine = double.first.id
        update = take_next(double.desk, double.project, 1, MATCHING, mine)
        assert update == take_next(double.desk, double.project, 1, MATCHING, mine)
        judge(double, mine, update or "", "k1")
        assert take_next(double.desk, double.project, 1, MATCHING, mine) != update
        assert take_next(double.desk, double.project, 1, MATCHING, double.second.id) == update

    def test_what_is_reopened_is_back_with_its_judges_and_with_nobody_else(self, double: People) -> None:
        desk, project, number = double.desk, double.project, double.project.id
        update = take_next(desk, project, 1, MATCHING, double.first.id) or ""
        for account in (double.first.id, double.second.id):
            judge(double, account, update, f"k{account}")
        final = [Change(FINAL, "matches", update, {"matches": []})]
        desk.log.record(number, Act(key="final", operation="adjudicate", topic=1), final)
        assert take_next(desk, project, 1, MATCHING, double.first.id) != update
        for again in (1, 2):
            act = Act(key=f"reopen{again}", operation="reopen", topic=1)
            desk.log.record(number, act, reopen("matches", update, "Look again."))
            assert take_next(desk, project, 1, MATCHING, double.first.id) == update
            assert take_next(desk, project, 1, MATCHING, double.lead.id) != update
            again_judged = [Change(judge_layer(double.first.id), "matches", update, {"matches": [again]})]
            desk.log.record(number, Act(key=f"again{again}", operation="match", topic=1), again_judged)
            assert take_next(desk, project, 1, MATCHING, double.first.id) != update
            desk.log.record(number, Act(key=f"final{again}", operation="adjudicate", topic=1), final)
        assert any(entry.before == {"matches": []} for entry in desk.log.act(number, "reopen1"))

    def test_what_was_judged_without_a_claim_is_back_with_its_judges_too(self, double: People) -> None:
        desk, number = double.desk, double.project.id
        update = desk.projects.item_places(number, 1, "update")[0][0]
        for account in (double.first.id, double.second.id):
            given = [Change(judge_layer(account), "matches", update, {"matches": []})]
            desk.log.record(number, Act(key=f"k{account}", operation="match", topic=1), given)
        final = [Change(FINAL, "matches", update, {"matches": []})]
        desk.log.record(number, Act(key="final", operation="adjudicate", topic=1), final)
        act = Act(key="reopen", operation="reopen", topic=1)
        desk.log.record(number, act, reopen("matches", update, "Look again."))
        assert take_next(desk, double.project, 1, MATCHING, double.lead.id) != update
        assert take_next(desk, double.project, 1, MATCHING, double.first.id) == update

    def test_who_gets_what_lapsed_has_it_and_its_first_holder_has_not(self, tmp_path: Path) -> None:
        now = [1_000_000.0]
        judgments = bundled_judgments(judged=False)
        with desk_with(tmp_path / "c.db", judgments, clock=lambda: now[0]) as people:
            update = take_next(people.desk, people.project, 1, MATCHING, people.first.id) or ""
            assert take_next(people.desk, people.project, 1, MATCHING, people.second.id) != update
            now[0] += KEEP_S + 1
            assert take_next(people.desk, people.project, 1, MATCHING, people.lead.id) == update
            held = people.desk.claims.holders(people.project.id, 1, "matching")
            assert held[update] == (people.lead.id,)

    def test_what_is_not_decided_cannot_be_reopened(self, double: People) -> None:
        with pytest.raises(ConflictError, match="not decided"):
            double.desk.log.record(
                double.project.id, Act(key="r", operation="reopen", topic=1), reopen("matches", "d", "Why.")
            )

    def test_what_is_done_by_topic_goes_to_as_many_as_are_asked(self, double: People) -> None:
        taken = [
            take_next(double.desk, double.project, 1, CLUSTERS, account.id)
            for account in (double.first, double.second, double.lead)
        ]
        assert taken == ["topic", "topic", None]

    def test_a_queue_counts_what_there_is_for_one(self, double: People) -> None:
        desk, project = double.desk, double.project
        topic = desk.projects.topics(project.id)[0]
        update = take_next(desk, project, 1, MATCHING, double.first.id) or ""
        before = queue_of(desk, project, topic, MATCHING, double.first.id, ())
        assert (before.held, before.judged, before.left) == (1, 0, before.items)
        judge(double, double.first.id, update, "k1")
        after = queue_of(desk, project, topic, MATCHING, double.first.id, ())
        assert (after.held, after.judged, after.left) == (0, 1, before.items - 1)
        assert queue_of(desk, project, topic, MATCHING, double.first.id, {99}).left == 0


def all_at_once(people: People, accounts: list[int], each: int) -> dict[str, list[int]]:
    """What went to whom when all ask at the same time and judge what they get."""
    gone: dict[str, list[int]] = {}
    faults: list[BaseException] = []
    begin = threading.Barrier(len(accounts))

    def work(account: int) -> None:
        try:
            begin.wait()
            for n in range(each):
                update = take_next(people.desk, people.project, 1, MATCHING, account)
                if update is None:
                    return
                gone.setdefault(update, []).append(account)
                judge(people, account, update, f"{account}-{n}")
        except BaseException as fault:  # noqa: BLE001 - shown by the test
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(account,)) for account in accounts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    return gone


def crowd(people: People, number: int) -> list[int]:
    accounts = [people.desk.accounts.add(f"judge {n}").id for n in range(number)]
    for account in accounts:
        people.desk.projects.set_member(people.project.id, account, "assessor")
    return accounts


def test_many_at_once_never_get_more_than_is_asked(double: People) -> None:
    gone = all_at_once(double, crowd(double, 4), 3)
    assert sum(map(len, gone.values())) == 12
    assert all(len(accounts) == len(set(accounts)) <= 2 for accounts in gone.values())


@pytest.mark.long
def test_the_whole_pool_by_a_crowd(any_store: str) -> None:
    with desk_with(any_store, bundled_judgments(judged=False), judges=2) as people:
        gone = all_at_once(people, crowd(people, 8), 10_000)
        # Exact copies go out once.
        assert gone.keys() == {one.id for one in topic_pool(people.desk, people.project.id, 1).candidates}
        assert all(len(accounts) == len(set(accounts)) == 2 for accounts in gone.values())
