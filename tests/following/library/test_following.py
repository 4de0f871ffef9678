"""`tidings.follow`: what it takes, what it gives, what it says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

import msgspec
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tidings
from tests.following.library.streams import FERRY, STORM, documents
from tests.sources.polling.servers import Reply, serving
from tests.sweeps import every
from tidings.core.errors import LateStreamError, TidingsError
from tidings.core.files.jsonl import LATEST_TIME
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.core.text.sentences import cut
from tidings.following.library.arguments import ArgumentValueError, as_time
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.registry import make
from tidings.sources.own.documents import write_documents
from tidings.sources.own.events import write_event

DOCUMENTS = documents(1)


def dicts():
    return [
        {
            "id": document.id,
            "published_time": document.published_time,
            "source": document.source,
            "title": document.title,
            "text": document.text,
        }
        for document in DOCUMENTS
    ]


def expected(**options):
    steps = follow_stream(DOCUMENTS, [FERRY], make("cosine"), **options)
    return [output for _, outputs in steps for output in outputs]


def as_datetimes():
    return [{**one, "published_time": datetime.fromtimestamp(one["published_time"], UTC)} for one in dicts()]


FORMS = {
    "records": lambda: DOCUMENTS,
    "a tuple": lambda: tuple(DOCUMENTS),
    "an iterator": lambda: iter(DOCUMENTS),
    "dicts": dicts,
    "dicts with datetimes": as_datetimes,
    "pandas": lambda: pd.DataFrame(dicts()),
    "pandas with times": lambda: pd.DataFrame(as_datetimes()),
    "polars": lambda: pl.DataFrame(dicts()),
    "polars with times": lambda: pl.DataFrame(as_datetimes()),
    "arrow": lambda: pa.Table.from_pylist(dicts()),
    "arrow with times": lambda: pa.Table.from_pylist(as_datetimes()),
}


class TestDocuments:
    @every("form", FORMS)
    def test_every_form_gives_the_same(self, form):
        assert len(expected()) > 3
        assert list(tidings.follow(FORMS[form](), events=FERRY, system="cosine")) == expected()

    def test_a_path_is_read(self, tmp_path):
        write_documents(tmp_path / "news.jsonl", DOCUMENTS)
        for path in (tmp_path / "news.jsonl", str(tmp_path / "news.jsonl")):
            assert list(tidings.follow(path, events=FERRY, system="cosine")) == expected()

    def test_sentences_in_a_table(self):
        rows = [
            {"id": 7, "published_time": 60, "sentences": ["A storm is near.", "Stay at home in the storm."]}
        ]
        for frame in (pd.DataFrame(rows), pl.DataFrame(rows), pa.Table.from_pylist(rows)):
            updates = list(tidings.follow(frame, query="storm", system="first"))
            assert [(update.doc_id, update.sentence_index, update.text) for update in updates] == [
                ("7", 0, "A storm is near.")
            ]

    def test_empty_cells_are_absent_fields(self):
        frame = pd.DataFrame(
            {
                "id": ["a"],
                "published_time": [60],
                "text": ["A storm is near."],
                "title": [None],
                "url": [float("nan")],
            }
        )
        (update,) = tidings.follow(frame, query="storm", system="first")
        assert (update.title, update.url) == ("", "")

    def test_nothing_is_read_before_the_first_is_asked_for(self):
        def stream():
            raise AssertionError
            yield

        updates = tidings.follow(stream(), query="storm", system="first")
        with pytest.raises(AssertionError):
            next(iter(updates))

    def test_no_documents_give_nothing(self):
        for empty in ([], iter([]), pd.DataFrame({"id": [], "published_time": [], "text": []})):
            assert list(tidings.follow(empty, query="storm", system="first")) == []

    @every(
        "given, kind, message",
        [
            (3, TypeError, r"documents: an int \(expected Document records,"),
            (None, TypeError, "documents: None"),
            (b"news", TypeError, "documents: a bytes"),
            ({"id": "a"}, TypeError, "a single dict.*put it into a list"),
            (DOCUMENTS[0], TypeError, "a single Document.*put it into a list"),
            (
                ["news.jsonl"],
                TypeError,
                r"item 1: a str \(expected a Document or a dict; for a file give its path",
            ),
            ("nowhere.jsonl", ValueError, "no file or folder nowhere.jsonl"),
            ([{"published_time": 3, "text": "x"}], ValueError, "item 1: no 'id'"),
            ([{"id": "a", "text": "x"}], ValueError, "item 1: no 'published_time'"),
            ([{"id": "a", "published_time": 3}], ValueError, "neither 'text' nor 'sentences'"),
            (
                [{"id": "a", "published_time": datetime(2024, 5, 1), "text": "x"}],
                ValueError,
                "without a time zone",
            ),
            ([{"id": "a b", "published_time": 3, "text": "x"}], ValueError, "an id without blanks"),
            (
                [{"id": "a", "published_time": 3, "text": 4}],
                TypeError,
                r"item 1: text: int \(4\) \(expected str or null\)",
            ),
            ([{"id": 1.5, "published_time": 3, "text": "x"}], TypeError, "item 1: id: a float"),
            (pd.DataFrame({"id": ["a"]}), ValueError, r"the columns id \(expected also published_time"),
            (
                pl.DataFrame({"id": ["a"], "published_time": [1]}),
                ValueError,
                "expected also text or sentences",
            ),
            (
                pd.DataFrame({"id": ["a"], "published_time": [pd.Timestamp("2024-05-01")], "text": ["x"]}),
                ValueError,
                r"row 1: published_time.*dt\.tz_localize",
            ),
            (pl.LazyFrame({"id": ["a"]}), TypeError, r"call its \.collect"),
            (pd.Series(["a"], name="text"), TypeError, "a single column"),
        ],
    )
    def test_what_is_wrong_is_said_at_the_call(self, given, kind, message):
        with pytest.raises(kind, match=message) as caught:
            tidings.follow(given, query="storm", system="first")
        assert isinstance(caught.value, TidingsError)

    def test_what_comes_later_is_named_by_its_number(self):
        stream = tidings.follow(iter([DOCUMENTS[0], {"id": "b"}]), query="storm", system="first")
        with pytest.raises(ValueError, match="item 2: no 'published_time'"):
            list(stream)
        stream = tidings.follow(
            [DOCUMENTS[0], msgspec.structs.replace(DOCUMENTS[1], published_time="x")], query="s"
        )
        with pytest.raises(ValueError, match="item 2: published_time"):
            list(stream)

    def test_a_record_with_a_datetime_is_taken(self):
        record = tidings.Document(id="a", published_time=datetime(1970, 1, 2, tzinfo=UTC), text="A storm.")
        (update,) = tidings.follow([record], query="storm", system="first")
        assert update.time == 86_400


class TestEvents:
    def test_a_query_is_an_event(self):
        stream = tidings.follow(
            [], query="ferry fire", title="A ferry burns", start=5, end="1970-01-01T00:01:00Z"
        )
        (event,) = stream.events
        assert (event.id, event.title, event.query) == ("query", "A ferry burns", "ferry fire")
        assert (event.start_time, event.end_time) == (5, 60)

    def test_a_period_of_one_second_is_one(self):
        (event,) = tidings.follow([], query="ferry fire", start=5, end=5).events
        assert (event.start_time, event.end_time) == (5, 5)

    def test_several_queries_are_several_events(self):
        stream = tidings.follow(DOCUMENTS, query=["ferry fire", "storm coast"], system="first")
        assert len({event.id for event in stream.events}) == 2
        assert len({update.event_id for update in stream}) == 2

    @every("form", ["record", "dict", "list", "path", "frame", "both"])
    def test_events_in_every_form(self, form, tmp_path):
        line = {
            "id": "ferry",
            "title": "Ferry fire",
            "query": "ferry fire port",
            "start": 2_000,
            "end": 60_000,
        }
        write_event(tmp_path / "event.json", FERRY)
        forms = {
            "record": FERRY,
            "dict": line,
            "list": [{**line, "end": datetime.fromtimestamp(60_000, UTC)}],
            "path": tmp_path / "event.json",
            "frame": pl.DataFrame([line]),
            "both": iter([FERRY]),
        }
        assert tidings.follow([], events=forms[form]).events == (FERRY,)

    def test_query_and_events_together(self):
        assert [event.id for event in tidings.follow([], query="storm", events=[FERRY, STORM]).events] == [
            "ferry",
            "storm",
            "query",
        ]

    @pytest.mark.parametrize(
        ("given", "kind", "message"),
        [
            ({}, TypeError, "neither query nor events"),
            ({"query": []}, ValueError, "no words"),
            ({"query": ""}, ValueError, "expected words"),
            ({"query": 3}, TypeError, "query: an int"),
            ({"query": ["a", 3]}, TypeError, "query: an int"),
            ({"query": "a", "title": ["a", "b"]}, ValueError, "title: 2 for 1 queries"),
            ({"query": "a", "start": 9, "end": 8}, ValueError, "start 9 after end 8"),
            ({"query": "a", "start": datetime(2024, 5, 1)}, ValueError, "start: .*without a time zone"),
            ({"events": FERRY, "start": 9}, TypeError, "start without query"),
            ({"events": []}, ValueError, "none"),
            ({"events": 3}, TypeError, "events: an int"),
            ({"events": [3]}, TypeError, "events: item 1: an int"),
            ({"events": {"id": "a"}}, ValueError, "no 'query'"),
            ({"events": [FERRY, FERRY]}, ValueError, "two events called 'ferry'"),
            ({"events": "ferry fire"}, ValueError, "words to look for are query="),
            ({"events": {"id": "a", "query": "b", "start": 9, "end": 8}}, ValueError, "start 9 after end 8"),
            (
                {"events": msgspec.structs.replace(FERRY, end_time=5)},
                ValueError,
                "start_time 2000 after end_time 5",
            ),
            ({"query": "a", "system": 3}, TypeError, "system: an int"),
            (
                {"query": "a", "system": type(make("first"))},
                TypeError,
                r"expected a system such as First\(\)",
            ),
            ({"query": "a", "system": "frist"}, TidingsError, "did you mean 'first'"),
            ({"query": "a", "lateness": "soon"}, TidingsError, "lateness"),
            ({"query": "a", "interval": -5}, ValueError, "interval"),
            ({"query": "a", "store": 3}, TypeError, "store: an int"),
        ],
        ids=str,
    )
    def test_what_is_wrong_is_said_at_the_call(self, given, kind, message):
        with pytest.raises(kind, match=message) as caught:
            tidings.follow([], **given)
        assert isinstance(caught.value, TidingsError)


class TestAnArticleAsQuery:
    """The story of an article is followed by its words, wherever the article stands."""

    TEXT = "A ferry burned off Nador. The ferry left Nador late, and a tanker of Nador helped."
    PAGE = f"<html><head><title>Ferry fire</title></head><body><article><p>{TEXT}</p></article></body></html>"

    def followed(self, query) -> tuple[str, str]:
        stream = tidings.follow(DOCUMENTS, query=query, system="cosine", title=None)
        (event,) = stream.events
        return event.query, event.title

    def test_a_document_and_a_file(self, tmp_path) -> None:
        article = {"id": "a", "published_time": 60, "title": "Ferry fire", "text": self.TEXT}
        (tmp_path / "page.html").write_text(self.PAGE)
        assert self.followed(article) == ("ferry nador", "Ferry fire")
        assert self.followed(tidings.Document(**article)) == ("ferry nador", "Ferry fire")
        assert self.followed(tmp_path / "page.html")[0] == "ferry nador"
        assert self.followed("page.html") == ("page.html", "page.html"), "words are words"
        both = tidings.Tracker(query=["storm", article], system="cosine").events
        assert [(event.query, event.title) for event in both] == [
            ("storm", "storm"),
            ("ferry nador", "Ferry fire"),
        ]

    def test_its_story_begins_with_its_title_and_first_sentences(self) -> None:
        text = f"{self.TEXT} Nobody died. Three were hurt. A ferry sank off Vigo in 1999. The ferry is old."
        article = {"id": "a", "published_time": 60, "title": "Ferry fire", "text": text}
        storm, ferry = tidings.follow(DOCUMENTS, query=["storm", article], system="cosine").events
        assert (storm.article, storm.description) == ("", "")
        assert ferry.description == f"Article: {ferry.article}"
        assert ferry.article == f"Ferry fire {self.TEXT} Nobody died. Three were hurt."
        sentences = cut(tidings.Document(**article)).sentences[1:]
        parted = tidings.Document(id="a", published_time=60, title="Ferry fire", sentences=sentences)
        assert tidings.Tracker(query=parted, system="cosine").events[0].article == ferry.article
        long = article | {"text": f"{self.TEXT} {'and on ' * 900}"}
        (event,) = tidings.Tracker(query=long, system="cosine").events
        assert len(event.article) == 2000

    @every(
        "name, mentions, query",
        [
            ("Nador", 8, "nador ferry"),
            ("Nador", 4, "nador ferry tanker crew"),
            ("Iran", 8, "iran ferry tanker crew"),
        ],
    )
    def test_beside_a_name_that_is_seldom_in_the_news_little_else_is_asked_for(
        self, name: str, mentions: int, query: str
    ) -> None:
        text = " ".join([*[f"The ferry left {name}."] * mentions, *["A tanker took the crew."] * 3])
        article = {"id": "a", "published_time": 60, "title": "", "text": text}
        assert self.followed(article)[0] == query

    @every("take", [tidings.follow, tidings.digest, tidings.Tracker])
    def test_an_address_of_a_private_network_is_asked_where_that_is_allowed(self, take) -> None:
        documents = () if take is tidings.Tracker else (DOCUMENTS,)
        reply = Reply(body=self.PAGE.encode(), headers={"Content-Type": "text/html"})
        with serving(lambda asked: reply) as served:
            with pytest.raises(TidingsError, match=r'in Python reading={"allow_private": True}'):
                take(*documents, query=served.url("/page"))
            assert not served.log
            for query in (served.url("/page"), [served.url("/page")]):
                made = take(*documents, query=query, reading={"allow_private": True})
                event = made.event if take is tidings.digest else made.events[0]
                assert event.query == "ferry nador"

    @every(
        "query, message",
        [
            ({}, "^query: no 'id'"),
            (["storm", {"id": "a", "text": "A storm."}], "^query: item 2: no 'published_time'"),
            ({"id": "a", "published_time": 60, "text": "of the"}, "^query: no names or key words"),
        ],
    )
    def test_what_is_no_article_is_a_fault_of_the_query(self, query, message) -> None:
        with pytest.raises(TidingsError, match=message):
            self.followed(query)


class TestRuns:
    def test_interval_and_lateness_reach_the_loop(self):
        made = list(tidings.follow(DOCUMENTS, events=FERRY, system="cosine", interval="1h", lateness="5m"))
        assert made == expected(interval_s=3600, lateness_s=300)
        assert made != expected()

    def test_late_documents_are_counted(self):
        ordered = sorted(DOCUMENTS, key=lambda document: document.published_time)
        late = [*ordered[1:], ordered[0]]
        stream = tidings.follow(late, events=FERRY, system="first", lateness=0)
        assert stream.tally.documents == 0
        list(stream)
        assert stream.tally.late_count == 1
        assert stream.tally.documents + stream.tally.late_count == len(DOCUMENTS)

    @every("kept", [False, True])
    def test_a_pile_out_of_order_is_not_lost_in_silence(self, kept, tmp_path):
        store = {"store": tmp_path / "run.db"} if kept else {}
        stream = tidings.follow(DOCUMENTS[::-1], events=FERRY, system="first", **store)
        with pytest.raises(LateStreamError, match=r"came too late, expected at most 5%.*sort") as caught:
            list(stream)
        assert "--" not in str(caught.value)
        assert "lateness" in str(caught.value)

    def test_to_run_says_where_it_comes_from(self):
        run = tidings.follow(DOCUMENTS, events=FERRY, system="cosine:similarity=0.3").to_run(team="us")
        assert (run.team, run.name) == ("us", "cosine:similarity=0.3")
        assert run.card.system == "cosine:similarity=0.3"
        assert run.card.events == (FERRY,)
        assert len(run.updates) > 3

    def test_a_system_may_be_given_itself(self):
        assert list(tidings.follow(DOCUMENTS, events=FERRY, system=make("cosine"))) == expected()

    def test_a_store_keeps_the_run_and_gives_it_whole(self, tmp_path):
        arguments = {"events": FERRY, "system": "cosine", "store": tmp_path / "run.db"}
        stream = tidings.follow(DOCUMENTS, **arguments)
        first = next(stream)
        stream.close()
        again = tidings.follow(DOCUMENTS, **arguments)
        assert list(again) == expected()
        assert first == expected()[0]
        assert list(tidings.follow(DOCUMENTS, **arguments)) == expected()
        assert again.tally.complete

    def test_a_store_does_not_mix_runs(self, tmp_path):
        list(tidings.follow(DOCUMENTS, events=FERRY, system="cosine", store=tmp_path / "run.db"))
        with pytest.raises(TidingsError, match="system"):
            list(tidings.follow(DOCUMENTS, events=FERRY, system="first", store=tmp_path / "run.db"))
        restarted = tidings.follow(
            DOCUMENTS, events=FERRY, system="first", store=tmp_path / "run.db", restart=True
        )
        assert list(restarted) == list(tidings.follow(DOCUMENTS, events=FERRY, system="first"))
        other = tidings.follow(DOCUMENTS, events=FERRY, system="cosine", store=tmp_path / "run.db", name="b")
        assert list(other) == expected()


class TestPace:
    """About how many updates are told."""

    STREAM: ClassVar = [
        {"id": f"d{n}", "published_time": 600 * n, "text": f"A storm is near the village {n % 7} by {n}."}
        for n in range(300)
    ]

    def test_a_query_alone_has_one(self):
        assert tidings.follow([], query="storm").system == "tidings:about=up to 40/day"
        assert tidings.Tracker(query="storm").system == "tidings:about=up to 40/day"
        assert tidings.follow([], query="storm", about="free").system == "tidings"
        assert tidings.follow([], query="storm", system="cosine").system == "cosine"
        assert tidings.follow([], events=[FERRY]).system == "tidings"
        assert (
            tidings.follow([], query="storm", system="cosine", about="2 per hour").system
            == "cosine:about=2/hour"
        )

    @every("store", [False, True])
    def test_in_all(self, store, tmp_path):
        options = {"store": tmp_path / "s.db"} if store else {}
        options |= {"query": "storm", "system": "first:overlap=1", "about": 30}
        stream = tidings.follow(self.STREAM, **options)
        assert stream.system == "first:overlap=1,about=30"
        assert 27 <= len(list(stream)) <= 33

    @every("store", [False, True])
    def test_in_all_of_an_iterator_needs_a_period(self, store, tmp_path):
        options = {"store": tmp_path / "s.db"} if store else {}
        options |= {"query": "storm", "system": "first:overlap=1", "about": 30}
        with pytest.raises(tidings.TidingsError, match="whose period is not known"):
            list(tidings.follow(iter(self.STREAM), **options))
        with_period = tidings.follow(iter(self.STREAM), **options, start=0, end=600 * 299)
        assert 27 <= len(list(with_period)) <= 33

    def test_a_tracker_gives_the_same(self):
        options = {"query": "storm", "system": "cosine:overlap=1", "about": "20/day"}
        tracker = tidings.Tracker(**options)
        pushed = [update for document in self.STREAM for update in tracker.push(document)]
        assert [*pushed, *tracker.finish()] == list(tidings.follow(self.STREAM, **options))

    @every("about", [True, [10], b"10/day"])
    def test_of_another_kind(self, about):
        with pytest.raises(TypeError, match="about: "):
            tidings.follow([], query="storm", about=about)


class TestWaiting:
    """`wait=`: what is new waits for its best wording."""

    def test_is_an_option_of_the_system(self):
        assert tidings.follow([], query="ferry", wait="2h").system == "tidings:wait=2h,about=up to 40/day"
        assert tidings.Tracker(query="ferry", wait=90, about="free").system == "tidings:wait=1m30s"
        assert tidings.follow([], query="ferry", about="free", wait=0).system == "tidings"
        assert tidings.follow([], query="ferry", about="free", wait="0h").system == "tidings"
        told = tidings.follow([], query="ferry", about="free", story_terms="bilbao, -fire")
        assert told.system == "tidings:story_terms=bilbao -fire"

    @every(
        "options, said",
        [
            ({"wait": "2h", "system": "cosine"}, "has no option wait; tidings has it"),
            ({"wait": "2h", "system": make("tidings")}, "wait: given with a system object"),
            ({"wait": -5}, r"wait: -5 \(expected 0 or more\)"),
            ({"wait": "soon"}, "wait"),
            ({"story_terms": "enron", "system": "cosine"}, "has no option story_terms; tidings has it"),
            ({"story_terms": "enron", "system": make("tidings")}, "story_terms: given with a system object"),
            ({"story_terms": 3}, "story_terms: an int"),
            ({"story_terms": "the"}, "story_terms: 'the'"),
        ],
    )
    def test_says_what_is_wrong(self, options, said):
        with pytest.raises(TidingsError, match=said):
            tidings.follow([], query="ferry", **options)


EVENTS = tuple(
    Event(id=name, title=name, query=name, start_time=0, end_time=9000) for name in ("a", "b", "c")
)
JUDGED = Judgments(
    name="made",
    events=EVENTS,
    nuggets=tuple(Nugget(one.id, f"n-{one.id}", 100, 3, "something happened") for one in EVENTS),
    matches=tuple(Match(one.id, f"100-{one.id}-0", f"n-{one.id}", 0, 9) for one in EVENTS),
    pool=tuple(PooledUpdate(one.id, f"100-{one.id}", 0, "something happened") for one in EVENTS),
)
ROWS = [{"event": "a", "doc": "100-a", "sentence": 0, "time": 100}]


def told(*events: str) -> list[Update]:
    return [Update(event, f"100-{event}", 0, 100) for event in events]


def test_a_table_without_names_is_the_run_run() -> None:
    scores = tidings.score(pd.DataFrame(ROWS), JUDGED)
    assert [(one.team, one.run) for one in scores.runs] == [("", "run")]
    named = tidings.score({"mine": pd.DataFrame(ROWS)}, JUDGED)
    assert [one.run for one in named.runs] == ["mine"]


def test_counted_are_the_events_that_means_are_taken_over() -> None:
    own = tidings.score(told("a"), JUDGED, measures="C")
    assert {row.event: row.counted for row in own} == {"a": True, "b": False, "c": False}
    assert own.mean("C") == 1.0
    whole = tidings.score(told("a"), JUDGED, measures="C", mean="all")
    assert {row.event: row.counted for row in whole} == {"a": True, "b": True, "c": True}
    assert whole.mean("C") == pytest.approx(1 / 3)


def test_unasked_a_table_shows_the_short_list_and_rows_have_all() -> None:
    scores = tidings.score(told("a"), JUDGED)
    columns = scores.table().columns[3:]
    assert "H" in columns
    assert not any(name.startswith("c") for name in columns)
    assert set(columns) < {row.measure for row in scores}
    asked = tidings.score(told("a"), JUDGED, measures="LC,C")
    assert asked.table().columns[2:] == ("event", "LC", "C")
    assert {row.measure for row in asked} == {"LC", "C"}


def test_compared_runs_count_silence() -> None:
    compared = tidings.compare({"one": told("a"), "two": told("a", "b")}, JUDGED, measures="C", samples=50)
    row = compared.differences()[0]
    assert (row.baseline_mean, row.mean) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert (row.wins, row.ties, row.losses) == (1, 2, 0)


def test_the_seed_of_a_comparison_is_the_one_given() -> None:
    runs = {"one": told("a"), "two": told("a", "b")}
    seeds = [
        tidings.compare(
            runs, JUDGED, measures="C", samples=50, resamples=50, seed=seed
        ).comparison.settings.seed
        for seed in (0, 7)
    ]
    assert seeds == [0, 7]


@every("mean", ["own", "all"])
def test_the_command_line_and_python_say_the_same_of_scores(mean, tmp_path, capsys) -> None:
    from tidings.cli import run
    from tidings.following.outputs.outputs import write_updates
    from tidings.sources.own.judgments import write_own_judgments

    write_own_judgments(tmp_path / "made", JUDGED)
    write_updates(tmp_path / "r.jsonl", [Run("us", "r", tuple(told("a")))])
    assert run(["score", str(tmp_path / "r.jsonl"), "-j", str(tmp_path / "made"), "--mean", mean]) == 0
    said = [line.removeprefix("tidings: ") for line in capsys.readouterr().err.splitlines()]
    notes = tidings.score(tmp_path / "r.jsonl", tmp_path / "made", mean=mean).notes
    assert [line.replace("--mean all", 'mean="all"') for line in said] == list(notes)
    assert "run us r is silent on 2 of 3 events (b, c)" in notes[0]


@every(
    "seconds, hint",
    [(LATEST_TIME + 1, True), (LATEST_TIME * 1000 - 1, True), (LATEST_TIME * 1000, False), (-1, False)],
)
def test_only_what_can_be_milliseconds_is_called_so(seconds: int, hint: bool) -> None:
    assert as_time(LATEST_TIME, "start") == LATEST_TIME
    with pytest.raises(ArgumentValueError, match="expected a time from 1970 to 9999") as caught:
        as_time(seconds, "start")
    assert ("milliseconds" in str(caught.value)) is hint
