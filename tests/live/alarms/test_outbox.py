"""The outbox: claimed by one, in order for each event, until it arrived or was given up."""

from __future__ import annotations

import msgspec
import pytest
from sqlalchemy import update as sql_update

from tests.live.alarms.runs import NOON, LiveRun, update
from tidings.core.errors import StoreError, UsageError
from tidings.core.records.standing import Alarm, AlarmChannel, AlarmRule, UpdateAbove
from tidings.core.store.schema import live_alarms

LEASE_S = 60.0


def send(run: LiveRun, channel: AlarmChannel, *events: str) -> None:
    """An alarm for each event, in this order, called by their places."""
    place = len(run.deliveries())
    for number, event in enumerate(events, place + 1):
        alarm = Alarm(id=str(number), kind="test", title="", time=NOON, event_id=event)
        assert run.live.outbox.send(alarm, [channel.id]) == 1


def claim(run: LiveRun, channel: AlarmChannel, most: int = 10) -> list[str]:
    return [one.alarm.id for one in run.live.outbox.claim(channel.id, most, LEASE_S)]


class TestClaims:
    def test_the_first_of_each_event_is_claimed_and_by_one_alone(self, run: LiveRun) -> None:
        channel = run.channel()
        send(run, channel, "storm", "storm", "fire", "fire", "flood")
        assert run.live.outbox.due() == [channel.id]
        assert claim(run, channel, 2) == ["1", "3"]
        assert claim(run, channel) == ["5"]
        assert claim(run, channel) == []

    def test_the_next_of_an_event_follows_when_the_one_before_arrived_or_was_given_up(
        self, run_in_file: LiveRun
    ) -> None:
        run, channel = run_in_file, run_in_file.channel()
        outbox = run.live.outbox
        send(run, channel, "storm", "storm", "storm")
        (first,) = outbox.claim(channel.id, 1, LEASE_S)
        outbox.failed(first, "500", retry_s=5)
        assert claim(run, channel) == []
        run.now += 5
        (first,) = outbox.claim(channel.id, 1, LEASE_S)
        assert (first.alarm.id, first.attempts, first.error) == ("1", 2, "500")
        outbox.arrived(first)
        (second,) = outbox.claim(channel.id, 9, LEASE_S)
        outbox.failed(second, "gone", retry_s=None)
        assert claim(run, channel) == ["3"]
        states = [(one.attempts, one.delivered_ms is not None, one.is_given_up) for one in run.deliveries()]
        assert states == [(2, True, False), (1, False, True), (1, False, False)]
        assert outbox.counts() == {channel.id: (1, 1, 1)}

    def test_one_about_several_events_keeps_its_place_among_all(self, run_in_file: LiveRun) -> None:
        run, channel = run_in_file, run_in_file.channel()
        send(run, channel, "storm", "", "fire")
        (first,) = run.live.outbox.claim(channel.id, 9, LEASE_S)
        assert first.alarm.id == "1"
        run.live.outbox.arrived(first)
        (both,) = run.live.outbox.claim(channel.id, 9, LEASE_S)
        assert both.alarm.id == "2"
        run.live.outbox.arrived(both)
        assert claim(run, channel) == ["3"]

    def test_channels_do_not_wait_for_each_other(self, run_in_file: LiveRun) -> None:
        run = run_in_file
        first, second = run.channel("first"), run.channel("second")
        alarm = Alarm(id="a", kind="test", title="", time=NOON, event_id="storm")
        run.live.outbox.send(alarm, [first.id, second.id])
        assert (claim(run, first), claim(run, second)) == (["a"], ["a"])

    def test_a_lease_runs_out(self, run: LiveRun) -> None:
        channel = run.channel()
        send(run, channel, "storm")
        (first,) = run.live.outbox.claim(channel.id, 1, LEASE_S)
        run.now += LEASE_S - 1
        assert run.live.outbox.due() == []
        assert claim(run, channel) == []
        run.now += 1
        (again,) = run.live.outbox.claim(channel.id, 1, LEASE_S)
        assert (again.alarm, again.attempts) == (first.alarm, 2)
        run.live.outbox.failed(first, "who had it before says this", retry_s=None)
        run.live.outbox.released(first)
        assert run.deliveries()[0].error == ""
        run.live.outbox.arrived(first)  # it did arrive, whoever says so
        run.live.outbox.failed(again, "late", retry_s=1)
        run.live.outbox.arrived(again)
        (row,) = run.deliveries()
        assert (row.delivered_ms, row.error, row.attempts) == (int(run.now * 1000), "", 2)

    def test_somebody_was_quicker(self, run: LiveRun, monkeypatch: pytest.MonkeyPatch) -> None:
        channel, outbox = run.channel(), run.live.outbox
        send(run, channel, "storm")
        writing, taken = run.live.store.writing, []

        def other_first() -> object:
            monkeypatch.undo()
            taken.extend(outbox.claim(channel.id, 1, LEASE_S))
            return writing()

        monkeypatch.setattr(run.live.store, "writing", other_first)
        assert outbox.claim(channel.id, 1, LEASE_S) == []
        assert len(taken) == 1

    def test_what_was_not_sent_after_all_is_due_at_once(self, run_in_file: LiveRun) -> None:
        run, channel = run_in_file, run_in_file.channel()
        send(run, channel, "storm")
        (first,) = run.live.outbox.claim(channel.id, 1, LEASE_S)
        run.live.outbox.released(first)
        (again,) = run.live.outbox.claim(channel.id, 1, LEASE_S)
        assert again.attempts == 1

    def test_what_was_given_up_is_tried_again_where_somebody_asks(self, run_in_file: LiveRun) -> None:
        run, channel = run_in_file, run_in_file.channel()
        outbox = run.live.outbox
        send(run, channel, "storm")
        (first,) = outbox.claim(channel.id, 1, LEASE_S)
        outbox.failed(first, "", retry_s=None)
        assert run.deliveries()[0].error == "failed"
        assert outbox.try_again(first.seq)
        (again,) = outbox.claim(channel.id, 1, LEASE_S)
        outbox.arrived(again)
        assert not outbox.try_again(first.seq)
        assert not outbox.try_again(99)

    def test_a_channel_that_rests_is_not_due(self, run_in_file: LiveRun) -> None:
        run, channel = run_in_file, run_in_file.channel()
        send(run, channel, "storm")
        run.live.channels.change(msgspec.structs.replace(channel, disabled_ms=1))
        assert run.live.outbox.due() == []
        run.live.channels.change(channel)
        assert run.live.outbox.due() == [channel.id]


class TestKeeping:
    def test_old_ones_go_save_those_on_their_way_and_each_channels_newest(self, run: LiveRun) -> None:
        outbox = run.live.outbox
        first, second = run.channel("first"), run.channel("second")
        send(run, first, "a", "b", "c", "d")
        send(run, second, "a")
        for delivery in outbox.claim(first.id, 9, LEASE_S)[:3]:
            outbox.arrived(delivery)
        before_ms = int(run.now * 1000) + 1
        assert outbox.prune(before_ms - 1) == 0
        assert outbox.prune(before_ms) == 3
        assert [one.alarm.id for one in run.deliveries()] == ["4", "5"]
        send(run, first, "e")
        assert [one.seq for one in run.deliveries()] == [4, 5, 6]

    def test_damage_is_noticed(self, run_in_file: LiveRun) -> None:
        run, channel = run_in_file, run_in_file.channel()
        send(run, channel, "storm")
        with run.live.store.writing() as connection:
            connection.execute(sql_update(live_alarms).values(body="{}"))
        with pytest.raises(StoreError, match="alarm 1 is not as it was written"):
            run.live.outbox.latest()


class TestRulesAndChannels:
    def test_they_are_kept_as_they_were_given(self, run: LiveRun) -> None:
        channel = run.channel()
        rule = run.live.rules.add(AlarmRule(name="one", when=UpdateAbove(worth=0.3), channels=(channel.id,)))
        assert run.live.channels.all() == [channel]
        assert run.live.channels.find(channel.id) == channel
        assert run.live.rules.all() == [rule]
        assert run.live.rules.find(rule.id) == rule
        assert run.live.rules.find(99) is None
        assert run.live.channels.find(99) is None
        renamed = run.live.rules.change(msgspec.structs.replace(rule, name="two", disabled_ms=7))
        assert run.live.rules.all() == [renamed]

    def test_names_are_names_and_only_once(self, run_in_file: LiveRun) -> None:
        channel, rule = run_in_file.channel("Hook"), run_in_file.rule(UpdateAbove(), "Rule", channels=())
        for name in ("", " x", "x" * 65, "a\nb", "hook", "HOOK"):
            with pytest.raises(UsageError, match=r"name|already"):
                run_in_file.channel(name)
        with pytest.raises(UsageError, match="already"):
            run_in_file.rule(UpdateAbove(), "rule", channels=())
        run_in_file.live.channels.change(channel)
        run_in_file.live.rules.change(rule)
        other = run_in_file.channel("other")
        with pytest.raises(UsageError, match="already"):
            run_in_file.live.channels.change(msgspec.structs.replace(other, name="Hook"))
        with pytest.raises(UsageError, match="The channel 99 has been removed"):
            run_in_file.live.channels.change(msgspec.structs.replace(other, id=99))
        with pytest.raises(UsageError, match="The rule 99 has been removed"):
            run_in_file.live.rules.change(msgspec.structs.replace(rule, id=99))

    def test_a_channel_that_goes_takes_along_what_was_on_its_way(self, run: LiveRun) -> None:
        run.rule(UpdateAbove())
        (channel,) = run.live.channels.all()
        run.commit(update(1))
        run.live.channels.remove(channel.id)
        assert run.deliveries() == []
        assert run.live.rules.all()[0].channels == ()
        run.channel("another, which may get its number")
        run.commit(update(1))
        assert run.deliveries() == []


def test_of_what_is_old_and_done_the_newest_of_each_channel_stays(run_in_file: LiveRun) -> None:
    run = run_in_file
    channels = [run.channel("one"), run.channel("two")]
    for channel in channels:
        send(run, channel, "storm", "storm")
        for _ in range(2):
            (delivery,) = run.live.outbox.claim(channel.id, 1, LEASE_S)
            run.live.outbox.arrived(delivery)
    run.now += 3600
    assert run.live.outbox.prune(int(run.now * 1000)) == 2
    assert [one.seq for one in run.deliveries()] == [2, 4]
