"""Events begun, changed, paused and closed on pages; the preview is what a run tells, and what was told stays told."""

from __future__ import annotations

import html
import re
import time
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from fastapi.testclient import TestClient
from msgspec.structs import replace

from tests.live.pages.followed import INBOX, documents, editor, fill, follow_inbox, santiago, site
from tests.sources.polling.servers import Reply, serving
from tests.sweeps import cases, every
from tidings.core.files.reading import ReadingOptions
from tidings.core.records import Document, Event
from tidings.core.records.standing import ReaderMark, StandingEvent
from tidings.core.store.store import open_store
from tidings.core.text.sentences import cut
from tidings.following.hosting.article_query import read_article
from tidings.following.systems.registry import terms_of
from tidings.live.hosting.previews import Preview, Previews, PreviewSettings
from tidings.live.hosting.standing import replay
from tidings.live.pages.routes.editing import changed_event, check_takes_up, words_of
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.store import LiveStore
from tidings.sources.inbox import open_inbox

FORM = {"query": "santiago train derailment", "title": "The train", "about": "up to 40/day"}


def lines(live: LiveStore, event_id: str | None = None) -> list[bytes]:
    """What was told, byte by byte."""
    return [msgspec.json.encode(one.output) for one in live.outputs.after(0, event_id=event_id)]


def until_done(previews: Previews, name: str) -> Preview:
    ends = time.monotonic() + 120
    while True:
        found = previews.find(name)
        assert found is not None and time.monotonic() < ends
        if found[1].state != "made":
            return found[1]
        time.sleep(0.02)


def test_who_changes_an_event_of_an_odd_id_comes_back_to_it(tmp_path: Path) -> None:
    odd = StandingEvent(event=Event(id="a?b#c/100%", title="Odd", query="odd flood"))
    with open_store(str(tmp_path / "live.db")) as store, editor(LiveStore(store)) as client:
        version = LiveStore(store).events.add(odd, "test").version
        path = f"/edit/events/{quote(odd.event.id, safe='')}"
        assert path in client.get("/edit").text
        answer = client.post(path, data={"do": "pause", "version": version})
        assert client.get(answer.headers["location"]).status_code == 200
        assert [one.state for one in LiveStore(store).events.all()] == ["paused"]


def test_a_preview_is_what_a_run_over_the_same_inbox_tells(tmp_path: Path) -> None:
    """Digit for digit: as a run that follows it from there on, and as one that is asked to tell it afterwards."""
    late = documents(30)[10].published_time
    for number, standing in enumerate(
        (santiago("cosine", "10/day"), santiago("tidings:values=yes,entities=yes"))
    ):
        with site(str(tmp_path / f"followed{number}.db"), standing) as (live, inbox):
            followed = [one.output for one in live.outputs.after(0)]
            assert followed and list(replay(inbox, standing, since=0).outputs) == followed
        with site(str(tmp_path / f"told{number}.db")) as (live, inbox):
            since = replace(standing, since=late)
            expected = replay(inbox, since, since=late)
            live.events.add(since, "ada")
            assert follow_inbox(live.store, inbox) == list(expected.outputs)
            # And then it goes on from there, as a run does that began there and was never interrupted.
            more = documents(60)[40:]
            fill(inbox, more)
            went_on = follow_inbox(live.store, inbox)
            whole = replay(inbox, since, since=late).outputs
            assert [*expected.outputs, *went_on] == list(whole)
            assert went_on


def test_what_was_told_stays_told(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), santiago("tidings"), count=50) as (live, inbox):
        before = lines(live)
        (standing,) = live.events.all()
        with editor(live) as client:
            for form in (
                {**FORM, "query": "angrois railway"},
                {**FORM, "about": "2/hour", "languages": "en"},
                {**FORM, "title": "Another", "end": "2013-07-24 21:00"},
                {"do": "pause"},
                {"do": "resume"},
                {"do": "close"},
                {"do": "reopen"},
            ):
                (standing,) = live.events.all()
                answer = client.post(
                    f"/edit/events/{standing.event.id}", data={**form, "version": standing.version}
                )
                assert answer.status_code == 303, answer.text
                follow_inbox(live.store, inbox)
                assert lines(live)[: len(before)] == before
                before = lines(live)
        kinds = [entry.kind for entry in live.events.log()]
        assert kinds == ["added", "changed", "changed", "changed", "paused", "resumed", "closed", "reopened"]
        assert all(entry.applied == 50 for entry in live.events.log()[1:])
        texts = [one.output.text for one in live.outputs.after(0, kinds=["update"])]  # type: ignore[union-attr]
        assert len(set(texts)) == len(texts)


def test_a_change_takes_effect_and_is_told_of(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), santiago()) as (live, inbox), editor(live) as client:
        (standing,) = live.events.all()
        path = f"/edit/events/{standing.event.id}"
        shown = client.get(path).text
        assert (
            'value="santiago train derailment"' in shown
            and "followed the story" in shown
            and 'value="unlimited"' in shown
        )
        answer = client.post(
            path, data={**FORM, "query": "<b>Angrois</b> rescue", "version": standing.version}
        )
        assert answer.headers["location"] == f"{path}?done=save"
        shown = client.get(path).text
        assert "pending" in shown and "&lt;b&gt;Angrois" in shown and "<b>Angrois" not in shown
        assert "<del>santiago train derailment</del>" in shown
        follow_inbox(live.store, inbox)
        assert "applied after 40 articles" in client.get(path).text
        assert [event.query for event in live.outputs.events()] == ["<b>Angrois</b> rescue"]
        # While it is paused nothing is told of it; when it is closed, nothing more.
        for do, told in (("pause", 0), ("close", 0)):
            (standing,) = live.events.all()
            assert client.post(path, data={"do": do, "version": standing.version}).status_code == 303
            fill(inbox, documents(60)[40:50] if do == "pause" else documents(60)[50:])
            assert len(follow_inbox(live.store, inbox)) == told
        assert 'class="state closed"' in client.get("/edit").text


def test_two_editors(tmp_path: Path) -> None:
    """The second is shown what the first did beside the own words, which stand in the form; saved again, they count."""
    with site(str(tmp_path / "a.db"), santiago()) as (live, _), editor(live) as client:
        (standing,) = live.events.all()
        live.events.change(replace(standing, about="3/day"), "bo")
        path = f"/edit/events/{standing.event.id}"
        answer = client.post(path, data={**FORM, "query": "my own words", "version": standing.version})
        assert answer.status_code == 409
        assert 'value="my own words"' in answer.text and "<td>3/day</td>" in answer.text
        (current,) = live.events.all()
        assert (current.about, current.event.query) == ("3/day", standing.event.query)
        assert f'name="version" value="{current.version}"' in answer.text
        assert client.post(path, data={"do": "close", "version": standing.version}).status_code == 409
        again = client.post(path, data={**FORM, "query": "my own words", "version": current.version})
        assert again.status_code == 303
        (now,) = live.events.all()
        assert (now.event.query, [entry.who for entry in live.events.log()]) == (
            "my own words",
            ["ada", "bo", "ada"],
        )


@every(
    "form, said",
    cases(__file__, "what does not fit is said and nothing is kept"),
)
def test_what_does_not_fit_is_said_and_nothing_is_kept(
    client: TestClient, form: dict[str, str], said: str
) -> None:
    live: LiveStore = client.app.state.live  # type: ignore[attr-defined]
    before = live.events.log()
    for path in ("/edit/new", "/edit/preview", "/edit/events/santiago-2013"):
        answer = client.post(path, data={**FORM, **form, "version": 1})
        assert answer.status_code == 422 and said in answer.text, (path, answer.text)
    assert live.events.log() == before


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """Signed in, to pages of which nothing is changed."""
    folder = tmp_path_factory.mktemp("unchanged")
    store = open_store(str(folder / "a.db"))
    live = LiveStore(store)
    live.events.add(santiago(), "ada")
    with editor(live) as made:
        yield made
    store.close()


def test_who_may_not_change_anything(client: TestClient) -> None:
    live: LiveStore = client.app.state.live  # type: ignore[attr-defined]
    before = live.events.log()
    paths = ("/edit", "/edit/new", "/edit/events/santiago-2013", "/edit/previews/none")
    with editor(live) as stranger:
        stranger.cookies.clear()
        for path in paths:
            assert stranger.get(path).headers["location"].startswith("/sign-in?next=")
        answer = stranger.post("/edit/new", data=FORM)
        assert answer.headers["location"].startswith("/sign-in")
    with editor(live, LiveSiteSettings(read_only=True)) as reader:
        for path in paths:
            assert reader.get(path).status_code == 403
        assert reader.post("/edit/new", data=FORM).status_code == 403
        assert (
            reader.post("/edit/events/santiago-2013", data={"do": "close", "version": 1}).status_code == 403
        )
    other = client.post("/edit/new", data=FORM, headers={"sec-fetch-site": "cross-site"})
    assert other.status_code == 403 and live.events.log() == before
    assert client.get("/edit/events/none").status_code == 404
    assert client.post("/edit/preview", data=FORM).status_code == 422  # nothing was fetched yet


def test_an_article_is_followed_by_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, text = "https://example.org/train", "A train derailed in Santiago. The train left Santiago late."
    article = Document(id="a", published_time=60, title="Train derails in Santiago", text=text)
    asked = []

    def read(address: str) -> Document:
        asked.append(address)
        return article

    with open_store(str(tmp_path / "live.db")) as store, editor(LiveStore(store)) as client:
        refused = client.post("/edit/new", data={**FORM, "query": "http://127.0.0.1:9/train"})
        assert refused.status_code == 422 and "No article could be read at http://127.0.0.1:9" in refused.text
        assert "which is not on the public internet. Check the address" in refused.text
        monkeypatch.setattr("tidings.live.pages.routes.editing.read_article", read)
        client.post("/edit/new", data={"query": place, "about": "free"})
        (made,) = LiveStore(store).events.all()
        assert (made.event.query, made.event.title) == ("train santiago derails", "Train derails in Santiago")
        assert made.event.article == f"{article.title} {text}"
        client.post(
            f"/edit/events/{made.event.id}", data={"query": made.event.query, "version": made.version}
        )
        assert LiveStore(store).events.all()[0].event == replace(made.event, title=made.event.query)
        (made,) = LiveStore(store).events.all()
        client.post(f"/edit/events/{made.event.id}", data={**FORM, "query": "storm", "version": made.version})
        assert asked == [place], "not again when the story is changed"
        (made,) = LiveStore(store).events.all()
        assert made.event.description == "", "other words are no longer those of the article"
        client.post(f"/edit/events/{made.event.id}", data={**FORM, "query": place, "version": made.version})
        (made,) = LiveStore(store).events.all()
        assert (asked, made.event.query) == ([place, place], "train santiago derails")
        assert made.event.article
        client.post("/edit/new", data={"query": place, "title": "As typed", "about": "free"})
        assert "As typed" in {one.event.title for one in LiveStore(store).events.all()}


@every(
    "body, kind, reason",
    [
        (b"%PDF-1.7 a", "application/pdf", "nothing that is known"),
        (b"\x89PNG\r\n\x1a\n\0\0", "image/png", "nothing that is known"),
        (b'{"a": 1}', "application/json", "JSON without a list of articles"),
        (b"", "text/html", "no markup"),
        (b"<?xml version='1.0'?><rss><channel><item>", "application/rss+xml", ""),
    ],
)
def test_what_was_typed_stays_where_no_article_can_be_read(
    body: bytes, kind: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tidings.live.pages.routes.editing.read_article",
        lambda place: read_article(place, ReadingOptions(allow_private=True)),
    )
    with (
        serving(lambda asked: Reply(body=body, headers={"Content-Type": kind})) as served,
        open_store(str(tmp_path / "live.db")) as store,
        editor(LiveStore(store)) as client,
    ):
        for page in ("new", "preview"):
            shown = client.post(f"/edit/{page}", data={**FORM, "query": served.url("/a")})
            assert shown.status_code == 422
            assert f"No article could be read at {served.url('/a')}: {reason}" in shown.text
            assert 'value="The train"' in shown.text
        assert not LiveStore(store).events.all()


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch) -> Document:
    """The article that is read at any address."""
    text = "A train derailed in Santiago. The train left Santiago late."
    article = Document(id="a", published_time=60, title="Train derails in Santiago", text=text)
    monkeypatch.setattr("tidings.live.pages.routes.editing.read_article", lambda place: article)
    return article


def test_an_article_that_was_previewed_is_followed_as_it_was_previewed(
    tmp_path: Path, train: Document
) -> None:
    with site(str(tmp_path / "a.db"), count=3) as (live, _), editor(live) as client:
        path = client.post("/edit/preview", data={**FORM, "query": "https://example.org/a"}).headers[
            "location"
        ]
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', client.get(path).text))
        client.post("/edit/new", data=fields)
        client.post("/edit/new", data={**fields, "query": "train santiago"})
        found = [one.event.article for one in live.events.all()]
        assert found == [f"{train.title} {train.text}", ""]


def test_what_was_previewed_and_then_edited_keeps_its_article_and_its_terms(
    tmp_path: Path, train: Document
) -> None:
    hidden = re.compile(r'<input(?: type="hidden")? name="(\w+)" value="([^"]*)"')
    with site(str(tmp_path / "a.db"), count=3) as (live, _), editor(live) as client:
        typed = {**FORM, "query": "https://example.org/a", "story_terms": "galicia -football"}
        shown = client.get(client.post("/edit/preview", data=typed).headers["location"]).text
        edit = html.unescape(shown.partition('class="button" href="')[2].partition('"')[0])
        form = dict(hidden.findall(client.get(edit).text))
        assert (form["query"], form["story_terms"]) == ("train santiago derails", "galicia -football")
        wrong = client.post("/edit/new", data={**form, "title": "Derailed", "start": "someday"})
        assert wrong.status_code == 422
        form = {**dict(hidden.findall(wrong.text)), "start": ""}
        again = client.get(client.post("/edit/preview", data=form).headers["location"]).text
        client.post("/edit/new", data=dict(hidden.findall(again)))
        client.post("/edit/new", data=form)
        client.post("/edit/new", data={**form, "query": "train santiago"})
        kept = [(one.event.title, one.event.article, terms_of(one.system)) for one in live.events.all()]
        begun = f"{train.title} {train.text}"
        assert kept == [("Derailed", words, "galicia -football") for words in (begun, begun, "")]


@pytest.mark.long
def test_a_preview_on_its_pages(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db")) as (live, inbox), editor(live) as client:
        first = client.post("/edit/preview", data={**FORM, "days": 3})
        path = first.headers["location"]
        previews: Previews = client.app.state.previews  # type: ignore[attr-defined]
        found = until_done(previews, path.rpartition("/")[2])
        assert client.get(f"{path}/state").json() == {"state": "done", "read": 40, "documents": 40}
        shown = client.get(path).text
        made = client.post("/edit/new", data={**FORM, "since": since_of(shown), "tell": "true"})
        assert made.headers["location"] == "/edit/events/santiago-train-derailment?done=added"
        assert follow_inbox(live.store, inbox) == list(found.outputs)
        assert found.outputs and "History" in client.get(made.headers["location"]).text
        # The same words again are another event, of another id; without `tell` it begins with what comes.
        again = client.post("/edit/new", data={**FORM, "since": since_of(shown)})
        assert again.headers["location"].startswith("/edit/events/santiago-train-derailment-")
        assert follow_inbox(live.store, inbox) == []
        assert client.get("/edit/previews/none").status_code == 404


def test_an_empty_preview_offers_no_updates_and_what_was_typed_can_be_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = santiago("tidings", "10/day")
    asked = PreviewSettings(store="", inbox=INBOX, standing=standing, since=0)
    with open_store(str(tmp_path / "live.db")) as store, editor(LiveStore(store)) as client:
        previews: Previews = client.app.state.previews  # type: ignore[attr-defined]
        monkeypatch.setattr(previews, "find", lambda name: (asked, Preview(state="done", documents=1)))
        shown = client.get("/edit/previews/any").text
        assert "No updates from 1 article." in shown and 'name="tell"' not in shown
        edit = html.unescape(shown.partition('class="button" href="')[2].partition('"')[0])
        form = client.get(edit).text
        assert f'value="{standing.event.title}"' in form and 'value="10/day"' in form


def since_of(shown: str) -> str:
    return shown.partition('name="since" value="')[2].partition('"')[0]


@pytest.mark.long
def test_a_preview_has_limits(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=20) as (live, _):
        previews = Previews(most=1)
        asked = PreviewSettings(
            store=str(live.store.url.database), inbox=INBOX, standing=santiago(), since=0, most_documents=10
        )
        name = previews.begin(asked)
        with pytest.raises(Exception, match="Other previews are running"):
            previews.begin(asked)
        assert "20 documents came since then, and 10 can be followed" in until_done(previews, name).trouble
        while True:
            try:
                name = previews.begin(replace(asked, most_s=0.001))
                break
            except Exception:  # noqa: BLE001 - the first is just ending
                time.sleep(0.01)
        assert "this took longer than 0.001 s" in until_done(previews, name).trouble


def test_a_change_that_cannot_be_taken_up_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it is kept where that is known; else it has no effect, and all the others go on."""
    with site(str(tmp_path / "a.db"), santiago()) as (live, inbox), editor(live) as client:
        (standing,) = live.events.all()
        path = f"/edit/events/{standing.event.id}"

        def refuse(*_: object) -> bytes:
            raise ValueError("cannot be carried over")

        with monkeypatch.context() as patch:
            patch.setattr("tidings.following.systems.decider.DecidingFollower.restore", refuse)
            answer = client.post(path, data={**FORM, "version": standing.version})
            assert answer.status_code == 422 and "would discard earlier updates of this story" in answer.text
            assert len(live.events.log()) == 1
        client.post(path, data={**FORM, "about": "10/day", "version": standing.version})
        live.events.add(replace(santiago(), event=replace(standing.event, id="other", query="rescue")), "bo")
        fill(inbox, documents(60)[40:])
        with monkeypatch.context() as patch:
            patch.setattr("tidings.live.hosting.standing.StandingRun._taken_up", refuse)
            outputs = follow_inbox(live.store, inbox)
        assert {one.event_id for one in outputs} == {"santiago-2013", "other"}
        assert [entry.applied for entry in live.events.log()] == [0, -1, 40]
        assert [one.about for one in live.events.in_effect()] == ["", ""]
        assert "not applied" in client.get(path).text


def test_a_mark_of_an_event_that_was_offered_nothing_yet_does_no_harm(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), count=3) as (live, inbox):
        live.events.add(santiago(), "ada")
        live.events.mark("santiago-2013", ReaderMark(update_id="d-0", text="It burns.", mark="known"), "ada")
        follow_inbox(live.store, inbox)
        assert [entry.applied for entry in live.events.log()] == [3, 3]


def test_an_event_that_remembers_nothing_can_be_changed_at_will() -> None:
    before = santiago("cosine", "10/day")
    now = changed_event(before, replace(words_of(before), about="free", title="Another"))
    assert now.about == ""
    check_takes_up(replace(now, system="tidings"), None)


def test_previews_end_in_time_and_the_oldest_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tidings.live.hosting.previews._REMEMBERED", 1)
    settings = PreviewSettings(
        store=str(tmp_path / "a.db"), inbox=INBOX, standing=santiago(), since=0, most_s=0.01
    )
    previews = Previews()
    first = previews.begin(settings)
    assert until_done(previews, first).trouble.startswith("this took longer than 0.01 s: 0 of 0 articles")
    second = previews.begin(settings)
    assert previews.find(first) is None and previews.find(second) is not None
    until_done(previews, second)


def gadhafi(count: int = 6) -> list[Document]:
    towns = ("Tripoli", "Misrata", "Benghazi", "Sirte", "Zawiya", "Brega")[:count]
    return [
        cut(
            Document(
                id=town,
                published_time=86_400 * number,
                title=f"Gadhafi forces attack {town}",
                text=f"Forces loyal to Moammar Gadhafi attacked {town} on Monday, killing {number + 2} people.",
                source="Wire",
            )
        )
        for number, town in enumerate(towns, start=1)
    ]


def test_the_terms_of_a_story_are_shown_added_to_and_struck(tmp_path: Path) -> None:
    standing = StandingEvent(event=Event(id="war", title="War", query="Gaddafi"), system="tidings")
    with open_store(str(tmp_path / "a.db")) as store:
        live = LiveStore(store)
        live.events.add(standing, "ada")
        with open_inbox(store, INBOX) as inbox, editor(live) as client:
            assert "How it is found" not in client.get("/events/war").text
            fill(inbox, gadhafi())
            follow_inbox(store, inbox)
            shown = client.get("/events/war").text
            assert "Articles with Gaddafi (also written Gadhafi), and those that share its terms:" in shown
            assert "Moammar" in shown and 'name="add"' in shown
            client.cookies.clear()
            assert (
                "Moammar" in client.get("/events/war").text
                and 'name="add"' not in client.get("/events/war").text
            )
        with editor(live) as client:
            version = live.events.all()[0].version
            form = {"version": version, "add": "rebels, nato", "strike": "Moammar"}
            assert client.post("/edit/events/war", data={**form, "add": "the"}).status_code == 422
            assert client.post("/edit/events/war", data=form).status_code == 303
            assert client.post("/edit/events/war", data=form).status_code == 409  # of the version before
            (now,) = live.events.all()
            assert terms_of(now.system) == "rebels nato -Moammar" and now.event == standing.event
            shown = client.get("/events/war").text
            assert "rebels nato -Moammar" in shown and 'value="Moammar"' not in shown
            assert "<ins>rebels nato -Moammar</ins>" in client.get("/edit/events/war").text
            answer = client.post("/edit/events/war", data={"version": now.version, "query": "Gaddafi"})
            assert answer.status_code == 303 and terms_of(live.events.all()[0].system) == ""
