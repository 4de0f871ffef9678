"""What a run gives and follows is kept whole: outputs of every kind, events, its card; refused in words."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.core.store.test_damage import OUTPUTS
from tests.sweeps import every
from tidings.core.errors import StoreError, UsageError
from tidings.core.records import (
    DataUsed,
    EntityRanking,
    Event,
    Evidence,
    ModelCard,
    Output,
    Position,
    RunCard,
    Update,
    ValueUpdate,
)
from tidings.core.store import open_store
from tidings.core.store.rows import kind_of

SETTINGS = {"system": "first"}
STORM = Event(
    id="storm", title="Storm", query="storm damage", start_time=5, type="storm", description="Wind."
)
FERRY = Event(id="ferry", title="Ferry", query="ferry fire", end_time=9)
MODEL = ModelCard(
    system="l2s",
    date="2026-01-01",
    data=(DataUsed(name="2013", events=("a",), digest="0"),),
    scores={"F": 0.5},
)
CARD = RunCard(system="l2s:gamma=2", model=MODEL, choice="pool", events=(STORM, FERRY))
FOLLOWED = Position(source="s", released=1, read=1, first_id="a", last_id="a")


class TestOutputs:
    def test_every_kind_comes_back_in_order(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS) as run:
                run.commit([], {}, OUTPUTS[:2], [])
                run.commit([], {}, OUTPUTS[2:], [])
                run.commit([], {}, OUTPUTS[:1], [], finished=True)
                assert (run.emitted, run.counts) == (
                    5,
                    {"update": 2, "value": 1, "entities": 1, "support": 1},
                )
                assert list(run.outputs()) == list(enumerate([*OUTPUTS, OUTPUTS[0]], 1))
                assert list(run.updates()) == [OUTPUTS[0], OUTPUTS[0]]
            assert list(store.outputs("r")) == list(enumerate([*OUTPUTS, OUTPUTS[0]], 1))
            assert list(store.updates("r")) == [OUTPUTS[0], OUTPUTS[0]]
            (info,) = store.runs()
            assert (info.updates, info.counts) == (2, {"update": 2, "value": 1, "entities": 1, "support": 1})

    @pytest.mark.parametrize(
        "output",
        [
            ValueUpdate(
                "\udcff", 1, "\x00", (), math.inf, "\x1b", -1, (Evidence("d", 0, "\udcff", 3, "s", "t", "u"),)
            ),
            ValueUpdate("e", 2**62, "location", (-12.5, 1e-300), 0.0),
            EntityRanking("e", "", ("\x00", "\udcff", "\U0001f600"), 0, (), (-math.inf,)),
            EntityRanking("", "2013-07-24", ()),
        ],
        ids=kind_of,
    )
    def test_hostile_ones_too(self, any_store: str, output: Output) -> None:
        with open_store(any_store) as store, store.begin("r", SETTINGS) as run:
            run.commit([], {}, [output], [])
            assert list(run.outputs()) == [(1, output)]

    def test_after_a_number_and_of_one_event(self, any_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tidings.core.store.store._PAGE", 4)
        updates = [Update("ab"[number % 2], "d", number, number) for number in range(1, 21)]
        with open_store(any_store) as store, store.begin("r", SETTINGS) as run:
            run.commit([], {}, updates, [])
            for after in (0, 1, 4, 19, 20, 99):
                assert [seq for seq, _ in store.outputs("r", after=after)] == list(range(after + 1, 21))
                assert list(run.updates(after=after, event_id="a")) == [
                    update for update in updates[after:] if update.event_id == "a"
                ]
            assert list(store.updates("r", event_id="c")) == []

    def test_the_question_by_event_has_an_index(self, sqlite_store: str) -> None:
        with open_store(sqlite_store) as store, store.reader.begin() as connection:
            plan = connection.exec_driver_sql(
                "EXPLAIN QUERY PLAN SELECT * FROM outputs WHERE run_id = 1 AND event_id = 'a' AND seq > 3 ORDER BY seq"
            ).all()
        assert "outputs_by_event (run_id=? AND event_id=? AND seq>?)" in str(plan)

    def test_a_store_is_asked_while_its_run_goes_on(self, any_store: str) -> None:
        with (
            open_store(any_store) as store,
            open_store(any_store) as reader,
            store.begin("r", SETTINGS) as run,
        ):
            run.commit([], {}, OUTPUTS[:1], [])
            asked = reader.outputs("r")
            assert next(asked) == (1, OUTPUTS[0])
            run.commit([], {}, OUTPUTS[1:], [])
            assert [seq for seq, _ in reader.outputs("r", after=1)] == [2, 3, 4]

    def test_begun_anew_while_it_is_read(self, sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tidings.core.store.store._PAGE", 1)
        monkeypatch.setattr("time.time", iter(range(100, 200)).__next__)
        with open_store(sqlite_store) as store:
            with store.begin("r", SETTINGS) as run:
                run.commit([], {}, OUTPUTS, [])
            asked = store.outputs("r")
            next(asked)
            store.begin("r", SETTINGS, restart=True).close()
            with pytest.raises(StoreError, match="was restarted while it was read"):
                list(asked)

    def test_a_commit_without_a_load_before_it(self, any_store: str) -> None:
        with open_store(any_store) as store:
            for number in range(3):
                with store.begin("r", SETTINGS) as run:
                    run.commit([FOLLOWED], {"e": bytes([number])}, OUTPUTS[:1], [])
            with store.begin("r", SETTINGS) as run:
                assert run.load().states == {"e": b"\x02"}
                assert run.emitted == 3


class TestEventsAndCard:
    def test_they_are_kept_with_the_run(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS, events=[STORM, FERRY], card=CARD) as run:
                assert run.events() == (STORM, FERRY)
                assert run.card == CARD
            assert store.events("r") == (STORM, FERRY)
            (info,) = store.runs()
            assert (info.events, info.card) == ((STORM, FERRY), CARD)

    def test_the_events_of_the_card_will_do(self, any_store: str) -> None:
        with open_store(any_store) as store:
            store.begin("r", SETTINGS, card=CARD).close()
            assert store.events("r") == (STORM, FERRY)

    def test_events_without_a_card_make_one(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS, events=[STORM]) as run:
                assert run.card == RunCard(events=(STORM,))
            with store.begin("s", SETTINGS) as run:
                assert run.card is None

    def test_a_run_that_goes_on_keeps_those_it_began_with(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS, card=CARD) as run:
                run.commit([FOLLOWED], {}, [], [])
            with store.begin("r", SETTINGS) as run:
                assert run.card == CARD

    def test_a_run_without_them_gets_them_when_it_goes_on(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS) as run:
                run.commit([FOLLOWED], {"e": b"1"}, OUTPUTS, [])
            with store.begin("r", SETTINGS, card=CARD) as run:
                run.commit([FOLLOWED], {"e": b"2"}, OUTPUTS, [])
            assert store.runs()[0].card == CARD
            assert store.runs()[0].counts == {"update": 2, "value": 2, "entities": 2, "support": 2}

    def test_begun_anew_with_others(self, any_store: str) -> None:
        with open_store(any_store) as store:
            with store.begin("r", SETTINGS, card=CARD) as run:
                run.commit([FOLLOWED], {}, [], [])
            with store.begin("r", SETTINGS, events=[FERRY], restart=True) as run:
                assert run.card == RunCard(events=(FERRY,))


class TestRefusedInWords:
    def message(self, store_name: str, settings: dict[str, str], **options: object) -> str:
        with open_store(store_name) as store:
            with store.begin("r", {**SETTINGS, "events": "two [1]"}, card=CARD) as run:
                run.commit([FOLLOWED], {}, [], [])
            with pytest.raises(UsageError) as caught:
                store.begin("r", settings, **options)  # type: ignore[arg-type]
            store.begin("r", {**SETTINGS, "events": "two [1]"}, card=CARD).close()
        return str(caught.value)

    def test_a_changed_query(self, sqlite_store: str) -> None:
        storm = Event(
            id="storm", title="Storm", query="hail damage", start_time=5, type="storm", description="Wind."
        )
        message = self.message(sqlite_store, {**SETTINGS, "events": "two [2]"}, events=[storm, FERRY])
        assert "query of event storm (started with 'storm damage', now 'hail damage')" in message
        assert "[2]" not in message

    def test_a_changed_period(self, sqlite_store: str) -> None:
        ferry = Event(id="ferry", title="Ferry", query="ferry fire")
        message = self.message(sqlite_store, {**SETTINGS, "events": "two [1]"}, events=[STORM, ferry])
        assert "end_time of event ferry (started with 9, now none)" in message

    def test_other_events(self, sqlite_store: str) -> None:
        message = self.message(sqlite_store, {**SETTINGS, "events": "two [1]"}, events=[FERRY])
        assert "events (started with storm ferry, now ferry)" in message

    def test_another_model(self, sqlite_store: str) -> None:
        model = ModelCard(system="l2s", date="2026-02-02", data=MODEL.data, scores=MODEL.scores)
        card = RunCard(system=CARD.system, model=model, choice="corpus", events=CARD.events)
        message = self.message(sqlite_store, {**SETTINGS, "events": "two [1]"}, card=card)
        assert "choice (started with 'pool', now 'corpus')" in message
        assert "the model's date (started with '2026-01-01', now '2026-02-02')" in message

    def test_no_model(self, sqlite_store: str) -> None:
        card = RunCard(system=CARD.system, choice="pool", events=CARD.events)
        message = self.message(sqlite_store, {**SETTINGS, "events": "two [1]"}, card=card)
        assert "model (started with one of l2s 2026-01-01, now none)" in message

    def test_a_long_text_is_cut(self, sqlite_store: str) -> None:
        storm = Event(
            id="storm", title="Storm", query="x" * 5000, start_time=5, type="storm", description="Wind."
        )
        message = self.message(sqlite_store, {**SETTINGS, "events": "two [1]"}, events=[storm, FERRY])
        assert len(message) < 500


class TestNothingLeftBehind:
    def names(self, folder: Path) -> list[str]:
        return sorted(path.name for path in folder.iterdir())

    def test_a_new_file_goes_when_the_run_is_refused(self, tmp_path: Path) -> None:
        for begun in (False, True):
            with pytest.raises(UsageError), open_store(str(tmp_path / "new.db")) as store:
                if begun:
                    with store.begin("r", SETTINGS) as run:
                        run.commit([Position(source="s", read=3)], {}, [], [])
                        raise UsageError("no such thing")
                raise UsageError("no such thing")
            assert self.names(tmp_path) == []

    @every("what", ["updates", "finished", "another's", "followed", "state"])
    def test_but_not_what_holds_something(self, tmp_path: Path, what: str) -> None:
        path = str(tmp_path / "new.db")
        with pytest.raises(UsageError), open_store(path) as store, store.begin("r", SETTINGS) as run:
            if what == "updates":
                run.commit([], {}, OUTPUTS, [])
            elif what == "finished":
                run.commit([], {}, [], [], finished=True)
            elif what == "followed":
                run.commit([FOLLOWED], {}, [], [])
            elif what == "state":
                run.commit([], {"e": b"state"}, [], [])
            else:
                with open_store(path) as other:
                    other.begin("s", SETTINGS).close()
            raise UsageError("no such thing")
        assert self.names(tmp_path) == ["new.db"]

    def test_nor_one_that_was_there(self, tmp_path: Path) -> None:
        open_store(str(tmp_path / "old.db")).close()
        with pytest.raises(UsageError), open_store(str(tmp_path / "old.db")):
            raise UsageError("no such thing")
        assert self.names(tmp_path) == ["old.db"]

    def test_nor_one_in_which_nothing_failed(self, tmp_path: Path) -> None:
        with open_store(str(tmp_path / "new.db")):
            pass
        assert self.names(tmp_path) == ["new.db"]

    def test_nor_a_file_that_is_no_store(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("Not a database, but somebody's notes of many lines.\n" * 40)
        with pytest.raises(StoreError, match="not a store of tidings"):
            open_store(str(tmp_path / "notes.txt"))
        assert self.names(tmp_path) == ["notes.txt"]

    @every("companion", ["new.db-wal", "new.db-shm"])
    def test_nor_one_that_somebody_opened_at_that_moment(self, tmp_path: Path, companion: str) -> None:
        store = open_store(str(tmp_path / "new.db"))
        close = store.close

        def close_late() -> None:
            close()
            (tmp_path / companion).touch()

        store.close = close_late  # type: ignore[method-assign]
        with pytest.raises(UsageError), store:
            raise UsageError("no such thing")
        assert self.names(tmp_path) == ["new.db", companion]

    def test_nor_one_that_another_has_open(self, tmp_path: Path) -> None:
        path = str(tmp_path / "new.db")
        with open_store(path), pytest.raises(UsageError), open_store(path) as mine:
            mine._made = True
            raise UsageError("no such thing")
        assert self.names(tmp_path) == ["new.db"]

    @pytest.mark.usefixtures("made_stores")
    def test_a_failed_opening_leaves_no_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(connection: object) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr("tidings.core.store.schema.make_tables", fail)
        with pytest.raises(StoreError):
            open_store(str(tmp_path / "new.db"))
        assert self.names(tmp_path) == []
