"""Items understood, and the same one only once."""

from __future__ import annotations

from tests.sweeps import cases, every
from tidings.core.files.reading import Notes, ReadingOptions
from tidings.core.records import Document
from tidings.core.records.documents import Item
from tidings.sources.items.documents import DocumentBuilder
from tidings.sources.items.versions import MOST_VERSIONS, normal_words

DAY = "2026-02-17T08:30:00Z"
NOON = 1771317000


def builder(**options: object) -> DocumentBuilder:
    return DocumentBuilder(ReadingOptions(**options), Notes())  # type: ignore[arg-type]


def item(**fields: object) -> Item:
    usual = {"origin": "a.xml:1", "id": "urn:1", "source": "The Wire", "published": DAY}
    return Item(**{**usual, **fields})  # type: ignore[arg-type]


def texts(document: Document | None) -> list[str]:
    assert document is not None
    return [sentence.text for sentence in document.sentences]


def test_a_document_of_an_item() -> None:
    document = builder().document(
        item(
            title="Ferry  <b>burns</b>",
            text="<p>A ferry&nbsp;burns.\0</p>",
            url="https://a.example/1",
            language="en-GB",
        )
    )
    assert document is not None
    assert (document.published_time, document.source, document.language) == (NOON, "The Wire", "en")
    assert (document.title, document.text, document.url) == (
        "Ferry burns",
        "A ferry burns.",
        "https://a.example/1",
    )
    assert document.id.startswith("the-wire-") and len(document.id.split()) == 1


def test_ids_are_the_same_in_every_run_and_different_for_different_items() -> None:
    ids = [builder().document(item(id=f"urn:{number % 3}", title="Ferry burns")).id for number in range(6)]  # type: ignore[union-attr]
    assert ids[:3] == ids[3:] and len(set(ids)) == 3


def test_sentences_of_a_source_are_kept() -> None:
    document = builder().document(item(sentences=("A ferry burns.", " ", "All saved."), title="Ferry"))
    assert texts(document) == ["A ferry burns.", "All saved."]
    assert document is not None and not document.text


@every(
    "fields, reason",
    cases(__file__, "what is no document is noted"),
)
def test_what_is_no_document_is_noted(fields: dict[str, object], reason: str) -> None:
    one = builder()
    assert one.document(item(**fields)) is None
    assert one.notes.examples == [("a.xml:1", reason)]


def test_times_that_stand_for_one_that_is_not_told() -> None:
    nothing = {"published": None, "title": "Ferry burns", "file_time": 5}
    assert builder().document(item(**nothing)) is None
    assert builder().document(item(**nothing), seen_time=7).published_time == 7  # type: ignore[union-attr]
    assert builder(file_times=True).document(item(**nothing)).published_time == 5  # type: ignore[union-attr]
    assert builder().document(item(**{**nothing, "updated": DAY})).published_time == NOON  # type: ignore[union-attr]


@every(
    "fields, how",
    cases(__file__, "the same item again is one document"),
)
def test_the_same_item_again_is_one_document(fields: dict[str, object], how: str) -> None:
    one = builder()
    first = item(title="Ferry burns in port", text="All were saved.", url="https://a.example/1")
    again = item(
        **{"title": "Ferry burns in port", "text": "All were saved!", "url": "https://a.example/1", **fields}
    )
    assert one.document(first) is not None
    assert one.document(again) is None
    assert one.repeats == {how: 1} and one.duplicates == 1


def test_few_words_are_the_same_only_in_one_outlet_and_on_one_day() -> None:
    one = builder()
    assert one.document(item(id="urn:1", title="Weather report"))
    assert one.document(item(id="urn:2", title="Weather report", source="Other"))
    assert one.document(item(id="urn:3", title="Weather report", published="2026-02-19T08:30:00Z"))
    assert one.document(item(id="urn:4", title="Weather report", published="2026-02-19T09:30:00Z")) is None


def test_a_text_that_another_outlet_copied_is_one_document() -> None:
    one = builder()
    text = "The ferry burnt for hours while boats came from all sides of the bay. " * 4
    assert one.document(item(title="Ferry", text=text))
    assert one.document(item(title="Ferry", text=text, id="urn:9", source="Other")) is None


def test_a_later_version_tells_what_is_new_in_it() -> None:
    one = builder()
    first = one.document(item(title="Ferry burns in port", text="A ferry burns. Nobody was hurt."))
    later = one.document(
        item(
            title="Ferry burns in port", text="A ferry burns. Two were hurt.", updated="2026-02-17T10:00:00Z"
        )
    )
    assert first is not None and later is not None
    assert later.id == f"{first.id}~2" and later.published_time == NOON + 5400
    assert texts(later) == ["Two were hurt."] and one.corrections == 1
    third = one.document(
        item(title="Ferry fire in port", text="A ferry burns. Two were hurt.", updated="2026-02-17T11:00:00Z")
    )
    assert third is not None and third.id == f"{first.id}~3" and texts(third) == ["Ferry fire in port"]


def test_words_that_come_back_tell_nothing() -> None:
    one = builder()
    for hour, text in enumerate(["Nobody was hurt.", "Two were hurt.", "Nobody was hurt."]):
        last = one.document(item(title="Ferry burns", text=text, updated=f"2026-02-17T1{hour}:00:00Z"))
    assert last is None and one.repeats == {"the same id": 1}


def test_an_earlier_version_that_comes_later_is_none() -> None:
    one = builder()
    assert one.document(item(title="Ferry burns", text="Two were hurt.", updated="2026-02-17T12:00:00Z"))
    assert (
        one.document(item(title="Ferry burns", text="Nobody hurt.", updated="2026-02-17T10:00:00Z")) is None
    )


def test_items_that_share_an_id_wrongly_stay_apart() -> None:
    one = builder()
    titles = ["Ferry burns in port", "Minister resigns over bribes", "Storm hits the coast"]
    documents = [one.document(item(title=title, url=f"https://a.example/{title[:5]}")) for title in titles]
    assert len({document.id for document in documents if document}) == 3
    assert one.document(item(title="Minister resigns over bribes")) is None


def test_an_item_that_changes_at_every_look_gives_no_more_versions() -> None:
    one = builder()
    given = [
        one.document(
            item(title="Live: ferry fire", text=f"Update number {number} of today."), seen_time=NOON + number
        )
        for number in range(60)
    ]
    assert sum(document is not None for document in given) == MOST_VERSIONS
    assert one.repeats["another version at every look"] == 60 - MOST_VERSIONS


def test_what_was_seen_least_recently_is_forgotten() -> None:
    one = DocumentBuilder(ReadingOptions(), Notes(), remembered=3)
    titles = ["Ferry burns", "Minister resigns", "Storm hits", "Bank fails", "Ferry burns"]
    given = [one.document(item(id=f"urn:{title}", title=title)) for title in titles]
    assert all(given)
    assert len(one.state()) < 2000


def test_a_state_brings_all_back() -> None:
    items = [
        item(id=f"urn:{number % 5}", title=f"Story {number % 5}", text=f"It is {number // 5}. So it is.",
             updated=f"2026-02-17T{10 + number // 5}:00:00Z")
        for number in range(20)
    ]  # fmt: skip
    whole = builder()
    expected = [whole.document(one) for one in items]
    for stop in (3, 11, 19):
        first, second = builder(), builder()
        given = [first.document(one) for one in items[:stop]]
        second.restore(first.state())
        given += [second.document(one) for one in items[stop:]]
        assert given == expected
        assert second.state() == whole.state()


def test_languages_are_declared_looked_at_or_asked_for() -> None:
    text = "Nach tagelangem Regen ist am Freitag der Damm gebrochen."
    assert builder().document(item(text=text, language="en")).language == "de"  # type: ignore[union-attr]
    assert builder(language="nl").document(item(text=text)).language == "nl"  # type: ignore[union-attr]
    assert builder().document(item(text="Damm bricht", language="de-AT")).language == "de"  # type: ignore[union-attr]


@every("text", ["<script>" * 30_000, "<!--" * 50_000, " " * 300_000 + "x", "<p " * 50_000, "&" * 99_999])
def test_hostile_markup_takes_no_time(text: str) -> None:
    document = builder().document(item(title="x", text=text))
    assert document is not None and document.title == "x"


def test_words_are_the_same_whether_a_text_is_of_ascii_alone() -> None:
    signs = "".join(map(chr, range(128)))
    for text in (signs, f" {signs}  A_b\x1f", "Ferry BURNS - all_ saved!", "", " . "):
        assert normal_words(text) == normal_words(f"{text} é").removesuffix("é").rstrip()
