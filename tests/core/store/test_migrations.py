"""A store of an older version is carried over: whole, wherever it is stopped, and its runs go on."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, create_engine, inspect, select, text

from tests.core.store.databases import (
    DATA,
    VERSION_1,
    VERSION_2,
    VERSION_3,
    VERSION_4,
    VERSION_5,
    VERSION_6,
    dump,
    killed_at,
    needs_fork,
    rows,
)
from tidings.annotation.store import Act, Desk
from tidings.core.errors import StoreError, UsageError
from tidings.core.records import LateDocument, Update
from tidings.core.records.assessment import Change
from tidings.core.records.standing import StandingEvent
from tidings.core.store import open_store, schema_version
from tidings.core.store.answers import StoredAnswers
from tidings.core.store.connect import parse_store
from tidings.core.store.migrations import MIGRATIONS, SCHEMA_VERSION, v001_runs
from tidings.core.store.schema import tables
from tidings.following.hosting import RunSettings, host, query_events
from tidings.following.stream import Source
from tidings.live.store import LiveStore
from tidings.sources.inbox import open_inbox
from tidings.sources.own.documents import read_documents

pytestmark = pytest.mark.usefixtures("made_stores")

TEXTS = ["", "\x00", "\udcff caf\xe9", '\x1b"a"', "\U0001f600", "a\nb"]


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A store of version 1, as it was found."""
    return Path(shutil.copy(VERSION_1, tmp_path / "old.db"))


def carry_over(path: Path | str) -> None:
    open_store(str(path)).close()


def carried_to(path: Path, version: int) -> list[str]:
    """What a store of the version before this one is when it is carried to it, as a kill may leave it."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        MIGRATIONS[version - 1](connection)
        connection.execute(text("UPDATE meta SET value = :version"), {"version": str(version)})
    engine.dispose()
    return dump(path)


def on_the_way(path: Path, version: int) -> list[list[str]]:
    """What a store of a version is when it is carried to each one before the newest."""
    return [carried_to(path, later) for later in range(version + 1, SCHEMA_VERSION)]


def version_of(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        (version,) = connection.execute("SELECT value FROM meta").fetchone()
    connection.close()
    return str(version)


def put_version_1(store: str) -> None:
    """Make a database of version 1 in `store`, with the rows of the file."""
    engine, old = create_engine(parse_store(store)), create_engine(f"sqlite:///{VERSION_1}")
    with engine.begin() as connection, old.connect() as source:
        MIGRATIONS[0](connection)
        for table in v001_runs.tables.sorted_tables:
            for row in source.execute(select(table)).all():
                connection.execute(table.insert().values(**row._asdict()))
    old.dispose()
    engine.dispose()


class TestSchema:
    def test_the_first_migration_makes_what_version_1_made(self, tmp_path: Path) -> None:
        engine = create_engine(f"sqlite:///{tmp_path}/new.db")
        with engine.begin() as connection:
            v001_runs.migrate(connection)
        engine.dispose()
        made, old = (
            [line for line in dump(path) if line.startswith("(")] for path in (tmp_path / "new.db", VERSION_1)
        )
        assert made == old

    def test_all_migrations_together_make_the_tables_that_the_store_asks(self, any_store: str) -> None:
        with open_store(any_store) as store:
            inspector = inspect(store.engine)
            assert set(inspector.get_table_names()) == set(tables.tables)
            assert inspector.get_view_names() == ["updates"]
            for table in tables.sorted_tables:
                columns = inspector.get_columns(table.name)
                assert [column["name"] for column in columns] == table.c.keys()
                assert [column["nullable"] for column in columns] == [column.nullable for column in table.c]
                kinds = [str(column["type"].compile(store.engine.dialect)) for column in columns]
                assert kinds == [str(column.type.compile(store.engine.dialect)) for column in table.c]
                assert (
                    inspector.get_pk_constraint(table.name)["constrained_columns"]
                    == table.primary_key.columns.keys()
                )
                indexes = {
                    index["name"]: index["column_names"] for index in inspector.get_indexes(table.name)
                }
                for index in table.indexes:
                    assert indexes[index.name] == index.columns.keys()

    def test_a_store_says_its_version(self, tmp_path: Path) -> None:
        carry_over(tmp_path / "new.db")
        assert version_of(tmp_path / "new.db") == str(SCHEMA_VERSION)

    def test_a_new_store_is_one_of_the_newest_version_at_once(self, tmp_path: Path, old_store: Path) -> None:
        carry_over(tmp_path / "new.db")
        carry_over(old_store)
        made, carried = (
            [line for line in dump(path) if line.startswith("(")] for path in (tmp_path / "new.db", old_store)
        )
        assert made == carried


class TestCarriedOver:
    def test_runs_are_what_they_were(self, old_store: Path) -> None:
        with open_store(str(old_store)) as store:
            storm, texts, empty = store.runs()
            assert (storm.name, storm.updates, storm.counts) == ("storm.run", 51, {"update": 51})
            assert (storm.events, storm.card, storm.finished_time) == ((), None, None)
            assert storm.positions[0].released == 51
            assert texts.settings == {"system": "none", "caf\xe9": "\udcff"}
            assert texts.finished_time is not None
            assert texts.positions[0].ends == ((4, 9),)
            assert texts.positions[0].digest == -(2**32)
            assert texts.positions[0].cursor == b""
            assert (empty.name, empty.updates, empty.positions) == ("empty", 0, ())
            updates = list(store.updates("texts"))
            assert [update.text for update in updates] == TEXTS
            assert math.isnan(updates[3].confidence)
            assert updates[2] == Update(TEXTS[2], TEXTS[2], 2, 9, 0.5, TEXTS[2], 9, TEXTS[2])
            assert store.late("texts") == [LateDocument("\udcff", 2, "\x00", 1, 5)]
            with store.begin("texts", texts.settings) as run:
                states = run.load().states
            assert states == {text: text.encode("utf-8", "surrogatepass") for text in TEXTS}

    def test_the_updates_can_still_be_asked_for_in_sql(self, old_store: Path) -> None:
        before = (
            sqlite3.connect(old_store)
            .execute("SELECT event_id, text FROM updates ORDER BY run_id, seq")
            .fetchall()
        )
        carry_over(old_store)
        after = (
            sqlite3.connect(old_store)
            .execute("SELECT event_id, text FROM updates ORDER BY run_id, seq")
            .fetchall()
        )
        assert after == before

    def test_a_run_goes_on_as_if_it_had_never_stopped(
        self, old_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The run was begun by a version for which a number that changed was no news.
        numbers = "tidings.following.systems.changed_numbers.EmittedNumbers.has_change"
        monkeypatch.setattr(numbers, lambda *given, **more: False)
        stream = str((DATA / "version-1.jsonl").absolute())
        with sqlite3.connect(old_store) as connection:
            (words,) = connection.execute("SELECT settings FROM runs WHERE name = 'storm.run'").fetchone()
            begun = json.dumps({**json.loads(words), "streams": stream})
            connection.execute("UPDATE runs SET settings = ? WHERE name = 'storm.run'", (begun,))
        connection.close()
        settings = RunSettings(
            streams=(stream,), events=tuple(query_events(["storm damage"])), system="cosine:similarity=0.8"
        )
        kept, fresh = (
            RunSettings(**{name: getattr(settings, name) for name in settings.__struct_fields__} | more)
            for more in (
                {"store": str(old_store), "name": "storm.run", "out": str(tmp_path / "on.run")},
                {"store": str(tmp_path / "new.db"), "name": "storm.run", "out": str(tmp_path / "new.run")},
            )
        )
        left = iter(range(10))
        with host(kept, stop=lambda: next(left, None) is None) as run:
            assert list(run)
            assert run.tally.skipped == 51
        with host(kept) as run:
            assert list(run)
            assert run.tally.skipped > 51
        # That version did not sort what stands in a file: neither does a source that cannot be sorted.
        unsorted = Source(stream, lambda: read_documents(stream))
        with host(fresh, sources=[unsorted], choice="corpus") as run:
            list(run)
        assert (tmp_path / "on.run").read_bytes() == (tmp_path / "new.run").read_bytes()
        with open_store(str(old_store)) as one, open_store(str(tmp_path / "new.db")) as other:
            old, new = list(one.updates("storm.run")), list(other.updates("storm.run"))
            assert len(old) == 98
            assert old == new
            assert one.events("storm.run") == other.events("storm.run") == settings.events
            assert 31 in [late.ordinal for late in one.late("storm.run")]

    def test_other_settings_are_refused_there_too(self, old_store: Path) -> None:
        with (
            open_store(str(old_store)) as store,
            pytest.raises(UsageError, match=r"system \(begun with cosine"),
        ):
            store.begin("storm.run", {"system": "first"})

    def test_many_updates_are_copied_page_by_page(
        self, old_store: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tidings.core.store.migrations.v002_outputs._PAGE", 4)
        with sqlite3.connect(old_store) as connection:
            before = connection.execute("SELECT text FROM updates ORDER BY run_id, seq").fetchall()
        connection.close()
        with open_store(str(old_store)) as store:
            after = [update.text for name in ("storm.run", "texts") for update in store.updates(name)]
        assert after[:51] == [text for (text,) in before][:51]
        assert len(after) == len(before)

    def test_on_either_database(self, any_store: str, old_store: Path) -> None:
        put_version_1(any_store)
        with open_store(any_store) as store, open_store(str(old_store)) as other:
            assert [info.name for info in store.runs()] == [info.name for info in other.runs()]
            for name in ("storm.run", "texts"):
                assert [repr(one) for one in store.updates(name)] == [
                    repr(one) for one in other.updates(name)
                ]
                assert store.late(name) == other.late(name)


class TestVersion2:
    """What version 3 adds is apart from what was there."""

    def test_its_rows_stay_as_they_are(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_2, tmp_path / "old.db"))
        before = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        carry_over(path)
        after = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        assert after == before
        assert len(before) > 40

    def test_its_run_goes_on_as_if_it_had_never_stopped(self, tmp_path: Path) -> None:
        settings = RunSettings(
            events=tuple(query_events(["storm damage"])), system="cosine:similarity=0.8", name="storm.run"
        )
        source = Source("STREAM", lambda: read_documents(DATA / "version-1.jsonl"))
        gone_on = Path(shutil.copy(VERSION_2, tmp_path / "on.db"))
        texts = []
        for path in (gone_on, tmp_path / "new.db"):
            with host(replace(settings, store=str(path)), sources=[source], choice="corpus") as run:
                list(run)
                assert bool(run.tally.skipped) == (path == gone_on)
                texts.append([output.text for output in run.outputs()])
        assert texts[0] == texts[1]

    @pytest.mark.kill
    @needs_fork
    @pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.long)])
    def test_killed_at_every_statement(self, tmp_path: Path, step: int) -> None:
        """By default at every ninth."""
        untouched = dump(VERSION_2)
        carried = Path(shutil.copy(VERSION_2, tmp_path / "carried.db"))
        carry_over(carried)
        expected = dump(carried)
        middle = Path(shutil.copy(VERSION_2, tmp_path / "between.db"))
        between = on_the_way(middle, 2)
        for statement in range(1, 200, step):
            path = Path(shutil.copy(VERSION_2, tmp_path / f"killed-{statement}.db"))
            killed = killed_at(statement, lambda path=path: carry_over(path))
            assert dump(path) in (untouched, *between, expected)
            carry_over(path)
            assert dump(path) == expected
            if not killed:
                break
        assert statement > 10


class TestVersion3:
    """The desk's tables come beside what was there."""

    def test_what_was_in_it_is_there_as_it_was(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_3, tmp_path / "old.db"))
        before = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        carry_over(path)
        after = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        assert after == before
        assert any(line.startswith("inbox_items") for line in before) and len(before) > 40

    def test_its_inbox_and_its_run_can_be_read_and_a_desk_opened_beside_them(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_3, tmp_path / "old.db"))
        with open_store(str(path)) as store:
            with open_inbox(store, "feeds of https://feed.example/storm.xml") as inbox:
                assert [document.id for _, document in inbox.documents(0, 10)] == ["item-0", "item-1"]
                assert inbox.load().waiting[1].document.id == "item-2"
            (run,) = store.runs()
            assert run.name == "storm.run" and run.updates
            desk = Desk(store)
            project = desk.projects.add("storm")
            desk.log.record(project.id, Act(key="a", operation="x", topic=1), [Change("final", "k", "o", 1)])
            assert [entry.after for entry in desk.log.entries(project.id)] == [1]

    @pytest.mark.kill
    @needs_fork
    @pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.long)])
    def test_killed_at_every_statement(self, tmp_path: Path, step: int) -> None:
        """By default at every eleventh."""
        untouched = dump(VERSION_3)
        carried = Path(shutil.copy(VERSION_3, tmp_path / "carried.db"))
        carry_over(carried)
        expected = dump(carried)
        between = on_the_way(Path(shutil.copy(VERSION_3, tmp_path / "between.db")), 3)
        for statement in range(1, 200, step):
            path = Path(shutil.copy(VERSION_3, tmp_path / f"killed-{statement}.db"))
            killed = killed_at(statement, lambda path=path: carry_over(path))
            assert dump(path) in (untouched, *between, expected)
            carry_over(path)
            assert dump(path) == expected
            if not killed:
                break
        assert statement > 10


class TestVersion4:
    """The table of answers comes beside what was there."""

    def test_what_was_in_it_is_there_as_it_was(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_4, tmp_path / "old.db"))
        before = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        carry_over(path)
        after = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        assert after == before
        assert any(line.startswith("desk_log") for line in before) and len(before) > 20

    def test_its_run_goes_on_and_answers_are_kept_beside_it(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_4, tmp_path / "old.db"))
        settings = RunSettings(
            events=tuple(query_events(["storm damage"])), system="cosine:similarity=0.8", name="storm.run"
        )
        source = Source("STREAM", lambda: read_documents(DATA / "version-1.jsonl"))
        with host(replace(settings, store=str(path)), sources=[source], choice="corpus") as run:
            list(run)
            assert run.tally.skipped
        with open_store(str(path)) as store:
            StoredAnswers(store).put("key", "\udcff")
            assert StoredAnswers(store).get("key") == "\udcff"

    @pytest.mark.kill
    @needs_fork
    @pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
    def test_killed_at_every_statement(self, tmp_path: Path, step: int) -> None:
        """By default at every fifth."""
        untouched = dump(VERSION_4)
        carried = Path(shutil.copy(VERSION_4, tmp_path / "carried.db"))
        carry_over(carried)
        expected = dump(carried)
        between = on_the_way(Path(shutil.copy(VERSION_4, tmp_path / "between.db")), 4)
        for statement in range(1, 200, step):
            path = Path(shutil.copy(VERSION_4, tmp_path / f"killed-{statement}.db"))
            killed = killed_at(statement, lambda path=path: carry_over(path))
            assert dump(path) in (untouched, *between, expected)
            carry_over(path)
            assert dump(path) == expected
            if not killed:
                break
        assert statement > 5


class TestVersion5:
    """The tables of standing events come beside what was there."""

    def test_what_was_in_it_is_there_as_it_was(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_5, tmp_path / "old.db"))
        before = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        carry_over(path)
        after = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        assert after == before
        assert any(line.startswith("judge_answers") for line in before) and len(before) > 20

    def test_an_event_can_be_followed_in_it_for_ever(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_5, tmp_path / "old.db"))
        with open_store(str(path)) as store:
            live = LiveStore(store, "storm.run")
            assert live.outputs.last_seq() > 0
            (event,) = query_events(["storm damage"])
            live.events.add(StandingEvent(event=event), "somebody")
            assert [one.event for one in live.events.all()] == [event]

    @pytest.mark.kill
    @needs_fork
    @pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
    def test_killed_at_every_statement(self, tmp_path: Path, step: int) -> None:
        """By default at every fifth."""
        untouched = dump(VERSION_5)
        between = on_the_way(Path(shutil.copy(VERSION_5, tmp_path / "between.db")), 5)
        carried = Path(shutil.copy(VERSION_5, tmp_path / "carried.db"))
        carry_over(carried)
        expected = dump(carried)
        for statement in range(1, 200, step):
            path = Path(shutil.copy(VERSION_5, tmp_path / f"killed-{statement}.db"))
            killed = killed_at(statement, lambda path=path: carry_over(path))
            assert dump(path) in (untouched, *between, expected)
            carry_over(path)
            assert dump(path) == expected
            if not killed:
                break
        assert statement > 5


class TestVersion6:
    """Who made the accounts of a desk is noted from here on."""

    def test_what_was_in_it_is_there_and_nobody_made_its_accounts(self, tmp_path: Path) -> None:
        path = Path(shutil.copy(VERSION_6, tmp_path / "old.db"))
        before = [line for line in dump(path) if not line.startswith(("(", "meta"))]
        with open_store(str(path)) as store:
            accounts = Desk(store).accounts
            assert {one.name: accounts.made_in(one.id) for one in accounts.all()} == {
                "assessor": None,
                "lead": None,
            }
        assert [line for line in dump(path) if not line.startswith(("(", "meta"))] == before

    @needs_fork
    def test_killed_at_every_statement(self, tmp_path: Path) -> None:
        untouched = dump(VERSION_6)
        carried = Path(shutil.copy(VERSION_6, tmp_path / "carried.db"))
        carry_over(carried)
        expected = dump(carried)
        for statement in range(1, 100):
            path = Path(shutil.copy(VERSION_6, tmp_path / f"killed-{statement}.db"))
            killed = killed_at(statement, lambda path=path: carry_over(path))
            assert dump(path) in (untouched, expected)
            carry_over(path)
            assert dump(path) == expected
            if not killed:
                break
        assert statement > 3


class TestTwoAtOnce:
    """Both find version 1; who comes second finds version 2 within its transaction, and leaves it."""

    def test_the_second_one_leaves_it(self, any_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        put_version_1(any_store)
        others = [lambda: carry_over(any_store)]
        carried: list[dict[str, list[str]]] = []
        look = schema_version.read_version

        def look_and_wait(connection: Connection, where: str) -> int:
            version = look(connection, where)
            if others:
                connection.commit()  # so that the other one need not wait for us
                others.pop()()
                carried.append(rows(any_store))
            return version

        monkeypatch.setattr(schema_version, "read_version", look_and_wait)
        carry_over(any_store)
        assert carried == [rows(any_store)]

    def test_a_new_store_too(self, any_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
        others = [lambda: kept(any_store)]
        look = schema_version.read_version

        def kept(store_name: str) -> None:
            with open_store(store_name) as store:
                store.begin("r", {}).close()

        def look_and_wait(connection: Connection, where: str) -> int:
            version = look(connection, where)
            if others:
                connection.commit()
                others.pop()()
            return version

        monkeypatch.setattr(schema_version, "read_version", look_and_wait)
        with open_store(any_store) as store:
            assert [info.name for info in store.runs()] == ["r"]


@pytest.mark.kill
@needs_fork
class TestKilled:
    """A migration is one transaction: killed anywhere, a store is of the version before it or after it, whole."""

    @pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])
    def test_at_every_statement(self, old_store: Path, tmp_path: Path, step: int) -> None:
        """By default at every thirteenth."""
        untouched = dump(VERSION_1)
        carry_over(old_store)
        expected, versions = dump(old_store), []
        for statement in range(1, 10_000, step):
            path = Path(shutil.copy(VERSION_1, tmp_path / f"killed-{statement}.db"))
            killed = killed_at(statement, lambda path=path: carry_over(path))
            versions.append(version_of(path))
            if versions[-1] in ("1", str(SCHEMA_VERSION)):
                assert dump(path) == (untouched if versions[-1] == "1" else expected), (
                    f"killed at {statement}"
                )
            if len(versions) % (10 if step == 1 else 3) == 1:
                carry_over(path)
                assert dump(path) == expected
            if not killed:
                break
        assert len(versions) > 40 / step
        assert versions == sorted(versions)
        every_version = {str(version) for version in range(1, SCHEMA_VERSION + 1)}
        assert set(versions) == every_version if step == 1 else {"1", str(SCHEMA_VERSION)} < set(versions)

    @pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])
    def test_while_a_new_store_is_made(self, tmp_path: Path, step: int) -> None:
        carry_over(tmp_path / "whole.db")
        expected = dump(tmp_path / "whole.db")
        for statement in range(1, 10_000, step):
            path = tmp_path / f"killed-{statement}.db"
            if not killed_at(statement, lambda path=path: carry_over(path)):
                break
            carry_over(path)
            assert dump(path) == expected, f"killed at {statement}"

    @pytest.mark.long
    def test_at_every_statement_on_a_server(self, postgres_store: str) -> None:
        import psycopg

        def anew() -> None:
            with psycopg.connect(postgres_store, autocommit=True) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
            put_version_1(postgres_store)

        anew()
        untouched = rows(postgres_store)
        carry_over(postgres_store)
        expected = rows(postgres_store)
        # Each version is whole, also one on the way: whoever is killed leaves the content of one of them.
        whole = {str(content["meta"]): content for content in (untouched, expected)}
        for statement in range(1, 10_000):
            anew()
            killed = killed_at(statement, lambda: carry_over(postgres_store))
            content = rows(postgres_store)
            assert whole.setdefault(str(content["meta"]), content) == content, f"killed at {statement}"
            carry_over(postgres_store)
            assert rows(postgres_store) == expected
            if not killed:
                break
        assert statement > 40


class TestRefused:
    @pytest.mark.parametrize("version", [str(SCHEMA_VERSION + 1), "70"])
    def test_a_newer_version_is_left_as_it_is(self, tmp_path: Path, version: str) -> None:
        path = tmp_path / "newer.db"
        carry_over(path)
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE meta SET value = ?", (version,))
        connection.close()
        before = dump(path)
        for read_only in (False, True):
            with pytest.raises(
                StoreError, match=f"store of version {version}, expected {SCHEMA_VERSION}.*upgrade tidings"
            ):
                open_store(str(path), read_only=read_only)
        assert dump(path) == before

    @pytest.mark.parametrize("version", ["0", "-1", "", "\xb2", "two"])
    def test_a_version_that_never_was(self, tmp_path: Path, version: str) -> None:
        path = tmp_path / "odd.db"
        carry_over(path)
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE meta SET value = ?", (version,))
        connection.close()
        with pytest.raises(StoreError, match="without a schema version"):
            open_store(str(path))

    def test_a_failing_migration_leaves_the_old_version(
        self, old_store: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(connection: Connection) -> None:
            MIGRATIONS[1](connection)
            connection.execute(text("SELECT nothing FROM nowhere"))

        before = dump(old_store)
        monkeypatch.setattr("tidings.core.store.schema_version.MIGRATIONS", (MIGRATIONS[0], fail, fail))
        with pytest.raises(StoreError, match=r"old\.db: the store cannot be used"):
            open_store(str(old_store))
        assert dump(old_store) == before
