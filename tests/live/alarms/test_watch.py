"""Which outputs have an alarm: as rules say, in the transaction of the output, and once."""

from __future__ import annotations

import threading

import msgspec
import pytest
from sqlalchemy import Connection

from tests.live.alarms.runs import NOON, LiveRun, live_run, ranking, update, value
from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.records import Update, ValueUpdate
from tidings.core.records.standing import (
    Alarm,
    AlarmRule,
    EntityNew,
    QuietHours,
    SourceSilent,
    UpdateAbove,
    ValueRose,
)
from tidings.live.alarms.conditions import RuleMemory, occasion
from tidings.live.alarms.settings import check_rule
from tidings.live.store.events import in_turn

HOUR = 3600


class TestUpdates:
    def test_one_of_enough_worth_has_an_alarm_that_says_all(self, run: LiveRun) -> None:
        run.rule(UpdateAbove(worth=0.5), "worth")
        run.commit(update(1, confidence=0.4), update(2, confidence=0.5), value(3))
        (delivery,) = run.deliveries()
        alarm = delivery.alarm
        assert (alarm.kind, alarm.title, alarm.rule, alarm.run) == (
            "update",
            "The storm: Update 2.",
            "worth",
            "live",
        )
        assert (alarm.time, alarm.event_id, alarm.more) == (NOON, "storm", 0)
        (item,) = alarm.items
        assert (item.text, item.seq, item.link) == ("Update 2.", 2, "/events/storm/updates/2")
        assert (item.source, item.confidence, item.title) == ("Wire", 0.5, "The storm")

    def test_of_one_event_alone(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(UpdateAbove(), event_id="fire")
        run_in_file.commit(update(1), update(2, event="fire"))
        assert [one.alarm.title for one in run_in_file.deliveries()] == ["a fire: Update 2."]

    def test_a_rule_added_later_tells_what_comes_from_then_on(self, run_in_file: LiveRun) -> None:
        run_in_file.commit(update(1), value(100), ranking("Ann"))
        run_in_file.rule(UpdateAbove(), "updates")
        run_in_file.rule(ValueRose(share=0.5), "values")
        run_in_file.commit(value(120))
        run_in_file.commit(update(2), value(160))
        assert run_in_file.texts() == ["Update 2.", "deaths: 160, before 100"]

    def test_a_rule_that_rests_or_was_removed_tells_nothing(self, run_in_file: LiveRun) -> None:
        first = run_in_file.rule(UpdateAbove(), "first")
        second = run_in_file.rule(UpdateAbove(), "second")
        run_in_file.live.rules.change(msgspec.structs.replace(first, disabled_ms=1))
        run_in_file.live.rules.remove(second.id)
        run_in_file.commit(update(1))
        assert run_in_file.deliveries() == []

    def test_each_channel_that_is_there_and_awake_gets_it_with_the_same_id(self, run: LiveRun) -> None:
        channels = [run.channel(name) for name in ("first", "second", "rests", "gone")]
        run.live.channels.change(msgspec.structs.replace(channels[2], disabled_ms=1))
        run.rule(UpdateAbove(), channels=tuple(one.id for one in channels))
        run.live.channels.remove(channels[3].id)
        run.commit(update(1))
        assert [one.channel_id for one in run.deliveries()] == [channels[0].id, channels[1].id]
        assert len({one.alarm.id for one in run.deliveries()}) == 1

    def test_strangers_text_never_stops_a_commit(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(UpdateAbove(), "updates")
        run_in_file.rule(ValueRose(), "values")
        odd = Update("storm", "d", 0, NOON, float("nan"), "Bad\ud800\x00\n text", 0, "\udfff", "", "\udc80")
        run_in_file.commit(odd, msgspec.structs.replace(odd, confidence=0.1), value(float("inf")))
        run_in_file.commit(value(float("nan")), ValueUpdate("storm", NOON, "location", (1.0, 2.0)))
        assert run_in_file.texts() == ["Bad?\x00 text"]


class TestTransactions:
    def test_an_update_that_was_not_committed_has_no_alarm(self, run: LiveRun) -> None:
        run.rule(UpdateAbove())

        def fail(connection: Connection, numbered: object) -> None:
            raise RuntimeError

        run.run.beside.append(fail)
        with pytest.raises(RuntimeError):
            run.commit(update(1))
        run.run.beside.remove(fail)
        assert run.deliveries() == []
        run.commit(update(2))
        assert run.texts() == ["Update 2."]

    def test_a_commit_fails_with_its_alarm(
        self, run_in_file: LiveRun, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run_in_file.rule(UpdateAbove())

        def fail(*given: object, **more: object) -> int:
            raise RuntimeError

        with monkeypatch.context() as patch:
            patch.setattr(type(run_in_file.live.outbox), "put", fail)
            with pytest.raises(RuntimeError):
                run_in_file.commit(update(1))
        assert run_in_file.live.outputs.last_seq() == 0

    def test_who_writes_alarms_waits_for_the_others(self, run: LiveRun) -> None:
        run.rule(UpdateAbove())
        with run.live.store.engine.begin() as connection:
            in_turn(connection)
            thread = threading.Thread(target=lambda: run.commit(update(1)))
            thread.start()
            thread.join(0.1)
            assert thread.is_alive()
            (channel,) = run.live.channels.all()
            alarm = Alarm(id="first", kind="test", title="", time=NOON)
            run.live.outbox.put(connection, alarm, [channel.id])
        thread.join(120)
        assert [one.seq for one in run.deliveries()] == [1, 2]
        assert run.deliveries()[0].alarm == alarm

    def test_ids_stay_and_are_apart(self, tmp_path: object) -> None:
        ids = []
        for name in ("first", "second"):
            with live_run(f"{tmp_path}/{name}.db") as run:
                run.run._row = msgspec.structs.replace(run.run._row, created_time=5)
                run.watch._begun = 5
                run.rule(UpdateAbove(), "a")
                run.rule(UpdateAbove(), "b")
                run.commit(update(1), update(2))
                ids.append([one.alarm.id for one in run.deliveries()])
        assert ids[0] == ids[1]
        assert len(set(ids[0])) == 4
        assert all(len(one) == 32 for one in ids[0])

    def test_a_run_begun_anew_has_alarms_of_its_own(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(UpdateAbove())
        run_in_file.commit(update(1))
        run_in_file.watch._begun += 1
        (first,) = run_in_file.deliveries()
        with run_in_file.live.store.writing() as connection:
            run_in_file.watch.beside(connection, [(1, update(1))])
        assert len({one.alarm.id for one in run_in_file.deliveries()}) == 2
        with run_in_file.live.store.writing() as connection:  # the same alarm again changes nothing
            run_in_file.live.outbox.put(connection, first.alarm, [first.channel_id])
        assert len(run_in_file.deliveries()) == 2


VALUES = cases(__file__, "values", lists=True)


@every("name, numbers, alarms", VALUES)
def test_values_that_rose_by_a_half(name: str, numbers: list[int], alarms: list[int]) -> None:
    rule, memory, said = AlarmRule(name="r", when=ValueRose(share=0.5)), RuleMemory(), []
    for number in numbers:
        reason, memory = occasion(rule, memory, value(number), lambda event, attribute: None)
        if reason is not None:
            said.append(number)
    assert said == alarms


class TestValues:
    def test_only_the_attributes_that_were_asked_for_each_for_itself(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(ValueRose(share=0.1, attributes=("deaths", "injuries")))
        run_in_file.commit(
            value(1), value(1000, attribute="displaced"), value(1_500_000, attribute="injuries")
        )
        run_in_file.commit(value(2, event="fire"), value(1))
        assert run_in_file.texts() == ["deaths: 1", "injuries: 1,500,000", "deaths: 2"]


RANKINGS = [
    ("new among the first two", [("Ann Bob Cid", "nyy")], ["Bob"]),
    ("several at once", [("Ann Bob Cid", "yyn")], ["Ann, Bob"]),
    ("said once", [("Ann Bob", "yn"), ("Bob Ann", "ny")], ["Ann"]),
    ("nothing new", [("Ann Bob", "nn")], []),
    ("held against the ranking before", [("Ann Bob", ""), ("Ann Cid", ""), ("Bob Ann", "")], ["Cid", "Bob"]),
]


@every("name, rankings, alarms", RANKINGS)
def test_entities_new_at_the_top(name: str, rankings: list[tuple[str, str]], alarms: list[str]) -> None:
    rule, memory, said = AlarmRule(name="r", when=EntityNew(top=2)), RuleMemory(), []
    for names, new in rankings:
        reason, memory = occasion(rule, memory, ranking(names, new), lambda event, attribute: None)
        if reason is not None:
            said.append(reason.text.partition(": ")[2])
    assert said == alarms


class TestGathering:
    def test_quiet_hours_end_with_one_message(self, run: LiveRun) -> None:
        # 12:00 UTC is 13:00 in Berlin: from 13:00 to 14:00 nothing is told.
        run.rule(UpdateAbove(), "night", zone="Europe/Berlin", quiet=QuietHours(780, 840))
        run.commit(update(1), update(2, event="fire"))
        run.commit(update(3))
        assert run.watch.tick(NOON + 59 * 60) == 0
        assert run.deliveries() == []
        assert run.watch.tick(NOON + HOUR) == 1
        assert run.watch.tick(NOON + HOUR) == 0
        (delivery,) = run.deliveries()
        assert delivery.alarm.kind == "gathered"
        assert delivery.alarm.title == "night: 3 during quiet hours or over the limit"
        assert delivery.alarm.event_id == ""
        assert run.texts() == ["Update 1.; Update 2.; Update 3."]

    def test_what_comes_after_the_quiet_hours_brings_what_was_gathered(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(UpdateAbove(), quiet=QuietHours(720, 780))
        run_in_file.commit(update(1))
        run_in_file.commit(update(2, time=NOON + HOUR))
        run_in_file.commit(update(3, time=NOON + HOUR))
        assert run_in_file.texts() == ["Update 1.; Update 2.", "Update 3."]
        assert run_in_file.deliveries()[0].alarm.event_id == "storm"

    def test_no_more_than_so_many_an_hour(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(UpdateAbove(), most_an_hour=2)
        for number in range(6):
            run_in_file.commit(update(number, time=NOON + number * 600))
        assert run_in_file.texts() == ["Update 0.", "Update 1."]
        run_in_file.commit(update(6, time=NOON + 3600))
        run_in_file.commit(update(7, time=NOON + 3601))
        assert run_in_file.texts()[2:] == ["Update 2.; Update 3.; Update 4.; Update 5.; Update 6."]
        assert run_in_file.watch.tick(NOON + 600 + 3599) == 0
        assert run_in_file.watch.tick(NOON + 600 + 3600) == 1
        assert run_in_file.texts()[3:] == ["Update 7."]

    def test_what_is_gathered_has_bounds(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(UpdateAbove(), quiet=QuietHours(720, 780))
        run_in_file.commit(*(update(number) for number in range(60)))
        run_in_file.watch.tick(NOON + HOUR)
        (delivery,) = run_in_file.deliveries()
        assert (len(delivery.alarm.items), delivery.alarm.more) == (50, 10)
        assert delivery.alarm.title.startswith("rule: 60 ")

    def test_a_rule_that_is_changed_still_tells_what_it_gathered(self, run_in_file: LiveRun) -> None:
        rule = run_in_file.rule(UpdateAbove(), quiet=QuietHours(720, 780))
        run_in_file.commit(update(1))
        run_in_file.live.rules.change(msgspec.structs.replace(rule, quiet=None, when=ValueRose()))
        run_in_file.watch.tick(NOON)
        assert run_in_file.texts() == ["Update 1."]

    def test_a_rule_that_rested_begins_anew(self, run_in_file: LiveRun) -> None:
        rule = run_in_file.rule(ValueRose(share=0.5))
        run_in_file.commit(value(100))
        run_in_file.live.rules.change(msgspec.structs.replace(rule, disabled_ms=1))
        run_in_file.commit(value(200))
        run_in_file.live.rules.change(rule)
        run_in_file.commit(value(220))
        run_in_file.commit(value(330))
        assert run_in_file.texts() == ["deaths: 100", "deaths: 330, before 200"]


class TestSilence:
    def test_a_source_is_silent_and_heard_again_once_each(self, run: LiveRun) -> None:
        run.rule(SourceSilent(source="the wire", after_s=HOUR))
        run.arrive("wire", NOON)
        run.arrive("paper", NOON)
        said = []
        for minutes in range(0, 400, 5):
            now = NOON + minutes * 60
            run.now = now
            if minutes == 180:
                run.arrive("wire", now)
            if minutes > 180:
                run.arrive("wire", now)
            run.arrive("paper", now)
            run.watch.tick(now)
            said += [(minutes, text) for text in run.texts()[len(said) :]]
        assert said == [(60, "the wire has been quiet for 1h"), (180, "the wire is back after 3h")]
        kinds = [one.alarm.kind for one in run.deliveries()]
        assert kinds == ["silence", "recovery"]

    def test_every_feed_is_looked_at_where_none_is_named(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(SourceSilent(after_s=HOUR))
        run_in_file.arrive("wire", NOON)
        run_in_file.arrive("paper", NOON)
        for minutes in range(0, 65, 5):
            run_in_file.now = NOON + minutes * 60
            if minutes == 30:
                run_in_file.arrive("paper", NOON + 1800)
            run_in_file.watch.tick(NOON + minutes * 60)
        assert run_in_file.texts() == ["The wire has been quiet for 1h"]

    def test_a_machine_that_slept_calls_nobody_silent(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(SourceSilent(source="wire", after_s=HOUR))
        run_in_file.arrive("wire", NOON)
        run_in_file.watch.tick(NOON)
        run_in_file.now = later = NOON + 8 * HOUR
        assert run_in_file.watch.tick(later) == 0
        for minutes in range(0, 60, 5):
            run_in_file.now = later + minutes * 60
            assert run_in_file.watch.tick(later + minutes * 60) == 0
        run_in_file.now = later + HOUR
        assert run_in_file.watch.tick(later + HOUR) == 1

    def test_one_that_never_said_anything_is_silent_too(self, run_in_file: LiveRun) -> None:
        run_in_file.rule(SourceSilent(source="nowhere", after_s=300))
        assert run_in_file.watch.tick(NOON) == 0
        run_in_file.now += 300
        assert run_in_file.watch.tick(NOON + 300) == 1
        assert run_in_file.texts() == ["nowhere has been quiet for 5m"]


def test_what_small_changes_to_rules_left_unseen(run_in_file: LiveRun) -> None:
    """Two that were gathered; more than are named, of which others may be of other events; who was announced."""
    run = run_in_file
    run.rule(UpdateAbove(), "updates", event_id="storm", quiet=QuietHours(720, 780))
    run.commit(update(1), update(2))
    run.watch.tick(NOON + HOUR)
    assert [one.alarm.kind for one in run.deliveries()] == ["gathered"]
    run.commit(*(update(number, time=NOON + 24 * HOUR) for number in range(60)))
    run.watch.tick(NOON + 25 * HOUR)
    assert [(one.alarm.event_id, one.alarm.more) for one in run.deliveries()] == [("storm", 0), ("", 10)]


def test_who_was_announced_is_announced_once(run_in_file: LiveRun) -> None:
    run_in_file.rule(EntityNew(top=1))
    for name in ("Ann", "Bob", "Ann"):
        run_in_file.commit(ranking(name, "y"))
    assert ["Ann" in text for text in run_in_file.texts()] == [True, False]


def test_an_older_item_that_came_later_makes_no_source_older(run_in_file: LiveRun) -> None:
    run_in_file.rule(SourceSilent(source="wire", after_s=HOUR))
    run_in_file.watch.tick(NOON)
    for time in (NOON + 600, NOON + 60):
        run_in_file.arrive("wire", time)
        run_in_file.watch.tick(NOON + 600)
    assert run_in_file.watch.tick(NOON + HOUR + 300) == 0
    assert run_in_file.watch.tick(NOON + HOUR + 600) == 1


@every("least", [True, False])
def test_a_rule_may_have_the_least_and_the_most_of_everything(least: bool) -> None:
    rule = AlarmRule(name="bounds", when=UpdateAbove(worth=0.0 if least else 1.0))
    quiet = QuietHours(0, 1439) if least else QuietHours(1439, 0)
    check_rule(msgspec.structs.replace(rule, quiet=quiet, most_an_hour=0 if least else 1))
    for wrong in (QuietHours(0, 0), QuietHours(-1, 5), QuietHours(5, 1440)):
        with pytest.raises(UsageError, match="Quiet hours"):
            check_rule(msgspec.structs.replace(rule, quiet=wrong))
