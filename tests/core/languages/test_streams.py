"""One flood in seven languages: borders of sentences, and a timeline that tells each main fact once, in order."""

import pytest

from tests.core.languages.streams import LANGUAGES, fact_of, stream
from tests.sweeps import every
from tidings.core.records import Event, Update
from tidings.core.text.sentences import cut
from tidings.following.digests.story import read_story
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import assemble

BORDERS = {"de": 130, "es": 139, "fr": 139, "ar": 129, "zh": 139, "ja": 141, "hi": 129}


def updates_of(code: str, system: str, *codes: str, languages: tuple[str, ...] = ()) -> list[Update]:
    documents = sorted(
        (document for one in (code, *codes) for document in stream(one)),
        key=lambda document: (document.published_time, document.id),
    )
    event = Event(id="flood", title="Flood", query=LANGUAGES[code]["query"], languages=languages)
    decided = follow_stream(documents, [event], assemble(system))
    return [output for _, outputs in decided for output in outputs if isinstance(output, Update)]


@every("code", LANGUAGES)
def test_borders_and_language(code: str) -> None:
    documents = [cut(document) for document in stream(code)]
    assert len(documents) == 60
    assert {document.sentences[0].language for document in documents} == {code}
    assert sum(len(document.sentences) for document in documents) == BORDERS[code]
    for document in documents:
        for one in document.sentences:
            assert document.text[one.start : one.start + len(one.text)] == one.text


@pytest.mark.parametrize("system", ["centroid", "cosine"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_each_fact_once_in_order(code: str, system: str) -> None:
    facts = [fact_of(code, update.text) for update in updates_of(code, system)]
    assert None not in facts, "an unrelated article"
    assert facts == sorted(set(facts)), "twice, or out of order"
    assert len(facts) >= 8


@every("code", ["de", "ar", "ja"])
def test_the_story_so_far_of_another_language(code: str) -> None:
    event = Event(id="flood", title="Flood", query=LANGUAGES[code]["query"])
    story = read_story(stream(code), event)
    quoted = [fact_of(code, one.sentence.text) for one in story.sentences if one.readable]
    assert set(quoted) >= set(range(8))
    assert quoted.count(None) <= 1
    mixed = read_story([*stream(code), *stream("hi")], event)
    assert len(mixed.published) >= len(story.published)
