"""What a system is given of whole articles: the news in them, cut at the border, and nothing else changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import pytest
from msgspec.structs import replace

from tests.following.systems.streams import FERRY, STORM, stream
from tests.sweeps import cases, every
from tidings.analysis.articles.reader import ArticleReader, shipped_reader
from tidings.core.errors import UsageError
from tidings.core.protocols import Interest
from tidings.core.records import Document, Sentence, Update
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.decider import Decider
from tidings.following.systems.news import News, NewsFollower, NewsReader
from tidings.following.systems.registry import available, describe, make
from tidings.following.systems.stages import Surroundings

NOON = 999_259_200  # a Friday
REPORT = tuple(cases(__file__, "report"))


def article(
    texts: Sequence[str] = REPORT, name: str = "d", events: tuple[str, ...] | None = None
) -> list[Sentence]:
    return [Sentence(name, number, text, NOON, events=events) for number, text in enumerate(texts)]


def told(spec: str, sentences: Sequence[Sentence]) -> list[Update]:
    return list(make(spec).start(FERRY).push(sentences, NOON))


def valued(texts: dict[str, float]) -> NewsReader:
    return NewsReader(lambda sentences: [(texts[one.text], one) for one in sentences])


def test_only_news_of_an_article_is_given_and_it_is_cut_at_the_border() -> None:
    every = told("first:overlap=1", article())
    assert every[0].text == REPORT[0]
    news = told("cosine:overlap=1,similarity=1,news=0.4", article())
    assert [update.sentence_index for update in news] == [0, 3]
    assert news[0].text.startswith("A ferry caught fire") and REPORT[0].endswith(news[0].text)
    assert news[1].text == REPORT[3]
    assert len(told("cosine:overlap=1,similarity=1", article())) == len(REPORT)


def test_a_higher_level_gives_less_and_all_that_it_gives_a_lower_one_gives() -> None:
    before = None
    for level in ("0.01", "0.3", "0.6", "0.999"):
        ids = {one.id for one in told(f"cosine:overlap=1,similarity=1,news={level}", article())}
        assert before is None or ids <= before
        before = ids
    assert before == set()


def test_the_level_itself_is_reached() -> None:
    reader = valued({"a": 0.5, "b": 0.49})
    assert [one.text for one in reader.news(article(["a", "b"]), 0.5)] == ["a"]


def test_ids_numbers_times_and_order_stay() -> None:
    follower = NewsFollower(shipped_reader_news(), 0.3)
    pushed = [one for name in ("d", "e") for one in article(name=name)]
    given = follower.receive(pushed, NOON)
    assert [(one.doc_id, one.index) for one in given] == sorted((one.doc_id, one.index) for one in given)
    assert {one.doc_id for one in given} == {"d", "e"}
    whole = {one.id: one for one in pushed}
    for one in given:
        assert whole[one.id].text.endswith(one.text)
        assert replace(one, text="") == replace(whole[one.id], text="")


def shipped_reader_news() -> NewsReader:
    reader = shipped_reader()
    return NewsReader(lambda own: [(one.news_value, one.sentence) for one in reader.read(own).sentences])


@every("name", list(available()))
def test_pools_are_told_exactly_as_without(name: str) -> None:
    pushes = [([replace(one, events=("E1", "E2")) for one in some], now) for some, now in stream(1, 25)]
    plain, news = make(name).start(FERRY), make(f"{name}:news=0.9").start(FERRY)
    for some, now in pushes:
        assert news.push(some, now) == plain.push(some, now)
    assert news.finish(pushes[-1][1]) == plain.finish(pushes[-1][1])
    assert news.core.state() == plain.state()


def test_a_push_of_pooled_sentences_is_passed_on_as_it_is() -> None:
    pushed = tuple(article(events=("E1",)))
    assert NewsFollower(valued({}), 1.0).receive(pushed, NOON) is pushed


def test_pooled_sentences_among_those_of_an_article_stay_in_their_places() -> None:
    reader = valued({"a": 0.9, "c": 0.1, "d": 0.9})
    mixed = [
        replace(one, events=("E1",) if one.text == "b" else None) for one in article(["a", "b", "c", "d"])
    ]
    other = article(["b"], "e", ("E1",))
    assert [one.text for one in reader.news([*mixed, *other], 0.5)] == ["a", "b", "d", "b"]


def test_off_is_the_default_and_leaves_the_system_as_it_is() -> None:
    for name in available():
        assert make(f"{name}:news=0") == make(name)
    options = {option.name: option for option in describe("first").options}
    assert options["news"].default == 0.0 and options["news"].common


def test_it_stands_in_the_spec_and_takes_its_place_inside_pace_and_budget() -> None:
    spec = "cosine:overlap=1,news=0.5,about=10/day,updates_per_hour=2"
    system = make(spec)
    assert system.spec == spec and make(system.spec) == system
    assert isinstance(system, Decider) and [stage.stage for stage in system.stages] == [
        "budget",
        "pace",
        "news",
    ]
    with pytest.raises(UsageError, match=r"option news: 1\.5"):
        make("cosine:news=1.5")
    with pytest.raises(UsageError, match="nowhere"):
        make("cosine:news=0.5,news_model=nowhere.safetensors").start(FERRY)


def test_an_article_is_offered_whole_where_the_system_inside_asks_for_less() -> None:
    plain, news = make("cosine").interest(FERRY), make("cosine:news=0.5").interest(FERRY)
    assert isinstance(plain, Interest) and not plain.whole
    assert news == replace(plain, whole=True)
    assert make("lexrank:news=0.5").interest(FERRY) is None


def test_the_router_gives_the_whole_article_to_be_read() -> None:
    """The second sentence holds no word of the query; read without it, the third would be another article."""
    document = Document(id="d", published_time=NOON, sentences=tuple(article()))
    followed = [
        update for _, own in follow_stream([document], [FERRY], make("cosine:news=0.5")) for update in own
    ]
    assert followed == told("cosine:news=0.5", article())
    assert followed


def test_a_pace_reaches_the_follower_inside() -> None:
    assert make("cosine:news=0.5,about=10/day").start(FERRY).core._pace is not None


def test_budgets_are_planned_for_inside() -> None:
    """What a budget holds back is not taken for told: it may be told later."""
    follower = make("cosine:overlap=1,similarity=0.6,news=0.4,updates_per_hour=1").start(FERRY)
    assert len(follower.push(article(), NOON)) == 1
    later = [replace(one, doc_id="e", published_time=NOON + 4000) for one in article()]
    assert [update.sentence_index for update in follower.push(later, NOON + 4000)] == [3]


def test_an_article_is_read_once_however_many_events_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    read = ArticleReader.read
    monkeypatch.setattr(
        ArticleReader, "read", lambda self, own: reads.append(own[0].doc_id) or read(self, own)
    )
    system = make("cosine:overlap=1,news=0.5")
    documents = [
        Document(id=f"once-{n}", published_time=NOON + n, sentences=tuple(article(name=f"once-{n}")))
        for n in range(4)
    ]
    documents = [
        replace(one, sentences=tuple(replace(s, published_time=one.published_time) for s in one.sentences))
        for one in documents
    ]
    for interval in (0, 3600):
        reads.clear()
        list(
            follow_stream(documents, [FERRY, replace(STORM, query="fire port")], system, interval_s=interval)
        )
        assert len(reads) == len(set(reads)) <= len(documents)
    assert not reads, "the same documents again are remembered"


def test_another_document_of_the_same_id_is_read_anew() -> None:
    reader = NewsReader(lambda sentences: [(float(len(one.text)), one) for one in sentences])
    for texts in (["one", "two"], ["one"], ["three"]):
        assert [one.text for one in reader.news(article(texts), 1)] == texts


def test_no_more_than_some_articles_are_remembered() -> None:
    reader = NewsReader(lambda sentences: [(1.0, one) for one in sentences])
    for number in range(3_000):
        assert reader.news(article(["a"], f"d{number}"), 1)
        assert len(reader._articles) <= 1_024


def test_what_an_article_says_later_in_the_stream_changes_nothing() -> None:
    """A document is read by itself: no other of the push, earlier or later, has a part in it."""
    alone = told("cosine:overlap=1,similarity=1,news=0.3", article())
    other = article(["Nothing of it is true.", "The port says so."], "e")
    together = told("cosine:overlap=1,similarity=1,news=0.3", [*article(), *other])
    assert [one for one in together if one.doc_id == "d"] == alone


class TestTidings:
    """It reads articles itself, and asks the news value beside its own decision."""

    def test_it_is_not_wrapped(self) -> None:
        around = Surroundings(heeds=make("tidings").start(FERRY).heeds)
        assert News(news=0.5).start(FERRY, around) is None and around.news == 0.5
        around = Surroundings(heeds=make("tidings:articles=none").start(FERRY).heeds)
        assert isinstance(News(news=0.5).start(FERRY, around), NewsFollower)

    def test_tells_no_less_newsworthy_sentence(self) -> None:
        values = {one.sentence.id: one.news_value for one in shipped_reader().read(article()).sentences}
        free = told("tidings:article_level=0,per_article=9", article())
        assert len(free) > 1
        for value in sorted({*values.values()}):
            held = told(f"tidings:article_level=0,per_article=9,news={value}", article())
            assert {one.id for one in held} == {one.id for one in free if values[one.id] >= value}

    def test_pools_as_pools(self) -> None:
        pooled = article(events=("E1",))
        assert told("tidings:news=0.9,level=-1", pooled) == told("tidings:level=-1", pooled)


def test_resumed_anywhere_equals_undisturbed() -> None:
    system = make("cosine:overlap=1,news=0.3")
    pushes = [(article(name=f"d{n}"), NOON + n) for n in range(3)]
    whole = system.start(FERRY)
    for number, push in enumerate(pushes):
        resumed = system.start(FERRY)
        resumed.restore(whole.state())
        assert list(whole.push(*push)) == list(resumed.push(*push)), number
        assert whole.state() == resumed.state()


def test_card_is_of_what_was_learned() -> None:
    card = make("cosine:news=0.5").card
    assert card is not None and card.system == "articles"
    assert make("tidings:news=0.5").card == make("tidings").card
    assert make("cosine").card is None


def test_documents_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    reads: list[list[str]] = []
    reader = NewsReader(lambda own: reads.append([one.doc_id for one in own]) or [(1.0, one) for one in own])
    pushed = [*article(["a", "b"], "d"), *article(["c"], "e")]
    assert list(reader.news(pushed, 1)) == pushed
    assert reads == [["d", "d"], ["e"]]
    assert [name for name, _ in groupby(one.doc_id for one in pushed)] == ["d", "e"]


def test_values_are_tracked_in_whole_articles_beside_it() -> None:
    plain = [one for one in told("first:values=yes", article()) if not isinstance(one, Update)]
    beside = told("cosine:news=1,values=yes", article())
    assert plain and beside == plain
