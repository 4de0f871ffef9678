"""`host`: one call that sets a run up, for whoever asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.records import Document, Event
from tidings.following.hosting.runs import host
from tidings.following.hosting.settings import RunSettings
from tidings.following.hosting.sources import Repeats, check_words, choice_of, query_events
from tidings.following.outputs.runs import read_runs
from tidings.sources import Source

STORM = Event(id="storm", title="Storm", query="storm")
STREAM = [
    Document(id=f"d{number}", published_time=60 * number, text=f"A storm is near the village {number}.")
    for number in range(40)
]
FIRST = "first:min_words=0"


def settings(**more: object) -> RunSettings:
    return RunSettings(**{"events": (STORM,), "system": FIRST, **more})  # type: ignore[arg-type]


def source(documents: list[Document] = STREAM) -> list[Source]:
    return [Source("news", lambda: documents)]


class TestHost:
    def test_gives_outputs_without_keeping_anything(self) -> None:
        with host(settings(), sources=source()) as run:
            steps = list(run)
        assert [now for now, _ in steps] == [document.published_time for document in STREAM]
        assert run.tally.complete
        assert (run.emitted, run.store, run.was_finished) == (40, "", False)
        with pytest.raises(UsageError, match="not kept"):
            run.outputs()

    def test_says_where_the_run_comes_from(self) -> None:
        with host(settings(system="tidings"), sources=source(), choice="corpus") as run:
            assert run.card.system == "tidings"
            assert run.card.choice == "corpus"
            assert run.card.events == (STORM,)
            assert run.card.model is not None
            assert "santiago-2013" in {event for data in run.card.model.data for event in data.events}

    def test_stops_when_asked_and_goes_on(self, tmp_path: Path) -> None:
        out = tmp_path / "run.jsonl"
        kept = settings(out=str(out), store=str(tmp_path / "s.db"))
        asked = 0

        def stop() -> bool:
            nonlocal asked
            asked += 1
            return asked == 10

        with host(kept, sources=source(), stop=stop) as run:
            before = [output for _, outputs in run for output in outputs]
            assert not run.tally.complete
        assert not out.exists()
        with host(kept, sources=source()) as run:
            assert run.emitted == len(before) == 10
            after = [output for _, outputs in run for output in outputs]
            assert list(run.outputs()) == before + after
        assert len(before + after) == 40
        assert out.exists()
        with host(kept, sources=source()) as run:
            assert run.was_finished

    def test_other_settings_are_refused_by_their_words(self, tmp_path: Path) -> None:
        kept = settings(store=str(tmp_path / "s.db"), name="mine")
        with host(kept, sources=source()) as run:
            list(run)
        other = Event(id="storm", title="Storm", query="snow storm")
        with (
            pytest.raises(
                UsageError, match=r"started with 'storm', titled 'Storm'.*now 'snow storm', titled"
            ),
            host(settings(events=(other,), store=str(tmp_path / "s.db"), name="mine"), sources=source()),
        ):
            pass

    def test_a_run_that_decided_nothing_leaves_no_store(self, tmp_path: Path) -> None:
        def broken() -> list[Document]:
            raise UsageError("no such thing")

        with (
            pytest.raises(UsageError, match="no such thing"),
            host(settings(out=str(tmp_path / "a.run")), sources=[Source("x", broken)]) as run,
        ):
            list(run)
        assert list(tmp_path.iterdir()) == []

    def test_a_store_that_was_there_stays(self, tmp_path: Path) -> None:
        with host(settings(out=str(tmp_path / "a.run")), sources=source()) as run:
            list(run)
        with (
            pytest.raises(UsageError, match="other settings"),
            host(settings(out=str(tmp_path / "a.run"), interval_s=60), sources=source()),
        ):
            pass
        assert (tmp_path / "a.run.db").exists()

    @every(
        "wrong, message",
        [
            ({"events": ()}, "no events"),
            ({"pool": "deep"}, "pool 'deep'"),
            ({"format": "xml"}, "format 'xml'"),
            ({"interval_s": -1}, "interval_s -1"),
            ({"events": (STORM, STORM)}, "two events called 'storm'"),
            ({"streams": ("ftp://example.org/feed",)}, "only those of feeds and pages"),
            ({"streams": ()}, "no streams"),
        ],
    )
    def test_what_does_not_fit(self, wrong: dict[str, object], message: str) -> None:
        with pytest.raises(UsageError, match=message), host(settings(**wrong)):
            pass

    def test_ids_with_other_words_are_counted(self) -> None:
        twice = [*STREAM, Document(id="d3", published_time=3000, text="Another storm.")]
        same = [*STREAM, Document(id="d3", published_time=3000, text=STREAM[3].text)]
        for documents, count in ((twice, 1), (same, 0)):
            with host(settings(), sources=source(documents)) as run:
                list(run)
            assert run.repeats.count == count


class TestQueryEvents:
    @every("query", ["!!!", "the of", "?", "... and"])
    def test_without_a_word_to_look_for_are_refused(self, query: str) -> None:
        """Signs and stop words match nothing, or everything."""
        with pytest.raises(UsageError, match="expected at least one word to look for"):
            check_words(["ferry", query])

    @every("query", ["火災", "пожар", "der Brand", "9/11", "x"])
    def test_of_any_language_have_words(self, query: str) -> None:
        check_words([query])

    def test_one_is_called_query(self) -> None:
        (event,) = query_events(["ferry fire"], ["The ferry"])
        assert (event.id, event.title, event.query) == ("query", "The ferry", "ferry fire")

    def test_ids_do_not_depend_on_the_order(self) -> None:
        queries = ["Ferry fire", "ferry, fire", "strike"]
        ids = {event.query: event.id for event in query_events(queries)}
        turned = {event.query: event.id for event in query_events(queries[::-1])}
        assert ids == turned
        assert len(set(ids.values())) == 3
        assert ids["strike"] == "strike"
        assert ids["Ferry fire"].startswith("ferry-fire-")

    def test_ids_hold_no_blanks_and_stay_short(self) -> None:
        first, second = query_events(["a " * 300, "?!"])
        assert len(first.id) <= 40
        assert len(first.id.split()) == 1
        assert second.id == "query"

    def test_an_id_that_is_taken(self) -> None:
        (event,) = query_events(["storm"], taken=["query"])
        assert event.id == "storm"
        (event,) = query_events(["storm"], taken=["query", "storm"])
        assert event.id.startswith("storm-")

    @every(
        "queries, titles, message",
        cases(__file__, "what does not fit", lists=True),
    )
    def test_what_does_not_fit(self, queries: list[str], titles: list[str], message: str) -> None:
        with pytest.raises(UsageError, match=message):
            query_events(queries, titles)


def test_settings_are_kept_as_json_would(tmp_path: Path) -> None:
    import msgspec

    kept = settings(interval_s=60)
    assert msgspec.json.decode(msgspec.json.encode(kept), type=RunSettings) == kept
    assert json.dumps(kept.in_words())


def test_events_of_many_are_told_by_a_digest() -> None:
    many = tuple(Event(id=f"e{n}", title="A", query="q") for n in range(13))
    words = settings(events=many).in_words()
    assert words["events"].startswith("e0 e1 ")
    assert " and 1 more [" in words["events"]
    assert not [key for key in words if key.startswith("event ")]
    other = (*many[:12], Event(id="e12", title="A", query="other"))
    assert settings(events=other).in_words() != words


class TestChoice:
    def test_one_pool_makes_a_run_one_of_a_pool(self, tmp_path: Path) -> None:
        (tmp_path / "own").mkdir()
        (tmp_path / "own" / "event.json").write_text("{}")
        (tmp_path / "trec").mkdir()
        own, trec = str(tmp_path / "own"), str(tmp_path / "trec")
        for streams, choice in (
            ([own], "corpus"),
            ([trec], "pool"),
            ([own, trec], "pool"),
            (["a.tsv"], "pool"),
            (["-", "a.jsonl.zst"], "corpus"),
        ):
            assert choice_of(streams) == choice

    def test_it_is_kept_with_the_run(self, tmp_path: Path) -> None:
        pool = tmp_path / "pool.tsv"
        rows = ["query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text"]
        rows += [f"other\t{time}-a-0\t{time}-a\t0\t9\tNULL\tA storm is near." for time in (60, 120)]
        pool.write_text("\n".join(rows) + "\n")
        out = tmp_path / "o.run"
        for mixed, count in ((False, 0), (True, 2)):
            kept = settings(streams=(str(pool),), out=str(out), mixed=mixed, restart=True)
            with host(kept) as run:
                list(run)
                assert run.card.choice == "pool"
                assert run.emitted == count
        card = read_runs(out)[0].card
        assert card is not None
        assert card.choice == "pool"
        assert card.events == (STORM,)


def test_only_so_many_ids_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Repeats, "_REMEMBERED", 5)
    far = [*STREAM[:10], Document(id="d0", published_time=3000, text="Other."), *STREAM[9:10]]
    near = [*STREAM[:10], Document(id="d9", published_time=3000, text="Other."), STREAM[9]]
    for documents, count in ((far, 0), (near, 2)):
        repeats = Repeats()
        list(repeats.watch(source(documents)[0]).open())
        assert repeats.count == count


def test_what_an_earlier_process_left_half_written_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".o.run.12345678.tmp"
    left.write_text("half")
    with host(settings(out=str(tmp_path / "o.run")), sources=source()) as run:
        list(run)
    assert not left.exists()
    assert (tmp_path / "o.run").exists()


def test_printing_says_once_where_the_run_is_from(capfd: pytest.CaptureFixture[str]) -> None:
    with host(settings(out="-", format="jsonl"), sources=source()) as run:
        list(run)
    kinds = [json.loads(line)["kind"] for line in capfd.readouterr().out.splitlines()]
    assert kinds == ["run", *["update"] * 40]


@every("name", ["run.csv", "run.xlsx.gz", "https://example.org/a.run"])
def test_a_name_that_promises_another_form_is_refused(name: str, tmp_path: Path, monkeypatch) -> None:
    """It would be filled with TREC's columns in silence."""
    monkeypatch.chdir(tmp_path)
    stream = [Document(id="d1", published_time=60, text="A storm is near.")]
    settings = RunSettings(events=tuple(query_events(["storm"])), system="first", out=name)
    with (
        pytest.raises(UsageError, match=r"a (name that ends in|URL)"),
        host(settings, sources=[Source("news", lambda: stream)]),
    ):
        pass
    assert not list(tmp_path.iterdir())


def test_a_name_is_taken_with_its_form(tmp_path: Path) -> None:
    stream = [Document(id="d1", published_time=60, text="A storm is near.")]
    out = str(tmp_path / "run.csv")
    settings = RunSettings(events=tuple(query_events(["storm"])), system="first", out=out, format="jsonl")
    with host(settings, sources=[Source("news", lambda: stream)]) as run:
        list(run)
    assert Path(out).read_text().startswith('{"kind":"run"')


class TestPace:
    """How a run is held at a pace."""

    def test_is_part_of_the_system(self, tmp_path: Path) -> None:
        kept = settings(about="5 a day", store=str(tmp_path / "s.db"))
        with host(kept, sources=source()) as run:
            list(run)
            assert run.settings.system == run.card.system == "first:about=5/day"
            assert run.emitted < 15
        with (
            pytest.raises(UsageError, match="about=5/day"),
            host(settings(about="6/day", store=str(tmp_path / "s.db")), sources=source()),
        ):
            pass

    def test_in_all_looks_at_the_times_first(self) -> None:
        with host(settings(about="10"), sources=source()) as run:
            list(run)
        assert 8 <= run.emitted <= 12

    def test_in_all_of_files_counts_bad_lines_once(self, tmp_path: Path) -> None:
        lines = [
            json.dumps({"id": f"d{n}", "published_time": 60 * n, "text": f"A storm is near the village {n}."})
            for n in range(40)
        ]
        news = tmp_path / "news.jsonl"
        news.write_text("\n".join([*lines, "no line"]))
        with host(settings(about="10", streams=(str(news),), lenient=True)) as run:
            list(run)
        assert 8 <= run.emitted <= 12
        assert run.problems.count == 1

    def test_in_all_of_what_is_read_once_needs_the_event_s_period(self) -> None:
        once = [Source("pipe", lambda: STREAM, live=True)]
        with (
            pytest.raises(UsageError, match="a stream that can be read twice"),
            host(settings(about="10"), sources=once),
        ):
            pass
        storm = Event(id="storm", title="Storm", query="storm", start_time=0, end_time=40 * 60)
        with host(settings(about="10", events=(storm,)), sources=once) as run:
            list(run)
        assert 8 <= run.emitted <= 12

    def test_stopped_and_gone_on(self, tmp_path: Path) -> None:
        with host(settings(about="10"), sources=source()) as run:
            whole = [output.id for _, outputs in run for output in outputs]
        kept = settings(about="10", store=str(tmp_path / "s.db"))
        for stop_after in (7, 20, 100):
            steps = iter(range(stop_after))
            with host(kept, sources=source(), stop=lambda steps=steps: next(steps, None) is None) as run:
                list(run)
        assert [output.id for output in run.outputs()] == whole
