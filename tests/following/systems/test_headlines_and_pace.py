"""`tidings` on feeds of headlines, on text in capitals, on two stories of a kind, and at a pace that waits."""

from __future__ import annotations

from tests.following.systems.test_whole_articles import (
    AGAIN,
    FIRE,
    LEAD,
    MORE,
    NAPLES,
    NOON,
    article,
    texts,
    told,
)
from tests.sweeps import cases, every
from tidings.analysis.articles.as_written import as_written
from tidings.analysis.articles.reader import lower_rest
from tidings.analysis.articles.surfaces import Surfaces
from tidings.core.records import Document, Sentence
from tidings.core.text.sentences import cut
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.pace.gate import PaceGate
from tidings.following.systems.pace.schedules import Pace
from tidings.following.systems.registry import make
from tidings.following.systems.stages import Surroundings
from tidings.following.systems.tidings.candidates import is_no_news
from tidings.sources.own.documents import read_documents

HEADLINE = "Ferry fire off Bilbao kills twelve people"


def headline(name, title, time=NOON):
    return cut(Document(id=name, published_time=time, source="Wire", title=title)).sentences


class TestHeadlines:
    def test_a_title_alone_is_told(self):
        assert texts("tidings", headline("a", f"  {HEADLINE} ")) == [HEADLINE]

    def test_a_label_before_it_is_not_told(self):
        assert texts("tidings", headline("a", f"BREAKING: {HEADLINE}")) == [HEADLINE]
        assert texts("tidings", headline("a", f"WATCH: {HEADLINE}")) == []

    def test_it_comes_through_a_stream(self, tmp_path):
        path = tmp_path / "feed.jsonl"
        path.write_text(f'{{"id": "a", "published_time": {NOON}, "title": "{HEADLINE}"}}\n')
        steps = list(follow_stream(read_documents(path), [FIRE], make("tidings")))
        assert [update.text for _, updates in steps for update in updates] == [HEADLINE]

    @every(
        "title",
        cases(__file__, "a teaser is not"),
    )
    def test_a_teaser_is_not(self, title):
        assert texts("tidings", headline("a", title)) == []

    def test_what_was_told_is_not_told_again(self):
        again = headline("b", "Ferry fire off Bilbao: at least 12 people killed", NOON + 600)
        assert texts("tidings", article("a", [LEAD]), again) == [LEAD]
        assert texts("tidings", headline("a", HEADLINE), headline("b", HEADLINE, NOON + 60)) == [HEADLINE]

    def test_it_is_told_at_a_pace_and_waits_too(self):
        assert HEADLINE in texts("tidings:about=5/day", headline("a", HEADLINE))
        waited = told(
            "tidings:wait=1h", headline("a", HEADLINE), article("b", [AGAIN], NOON + 3_600), finish=True
        )
        assert waited[0].text in (HEADLINE, AGAIN)
        assert waited[0].time == NOON + 3_600

    def test_pooled_ones_are_decided_on_as_ever(self):
        pooled = (Sentence("a", 0, HEADLINE, NOON, "wire", 0, ("fire",), HEADLINE),)
        assert texts("tidings", pooled) == texts("tidings:articles=none", pooled)


class TestMistakenEncodings:
    def test_title_and_text_are_told_as_people_write_them(self):
        garbled = LEAD.replace("coast of", "coast â€“ and cafÃ© â€“ of")
        (update,) = told("tidings:article_level=0.5", article("a", [garbled], title="Bilbaoâ€™s ferry fire"))
        assert (update.text, update.title) == (as_written(garbled), "Bilbao’s ferry fire")

    @every("stored, written", cases(__file__, "text cut into tokens"))
    def test_text_cut_into_tokens_is_joined_as_people_write(self, stored, written):
        assert as_written(stored) == written


class TestCapitals:
    def test_news_in_capitals_is_told_as_it_is_written(self):
        loud = "A FERRY CAUGHT FIRE OFF THE COAST OF BILBAO ON FRIDAY, KILLING AT LEAST 12 PEOPLE, OFFICIALS SAID."
        assert (
            texts("tidings", article("a", [loud, "THE SHIP SANK ON FRIDAY NIGHT, POLICE SAID."]))[0] == loud
        )

    @every(
        "text, expected",
        [
            ("FERRY FIRE KILLS 12", "Ferry fire kills 12"),
            ("NATO, EU", "NATO, EU"),
            ("The EU and NATO agree on it", "The EU and NATO agree on it"),
            ("ALL BUT THE LAST WORD is", "All but the last word is"),
            ("İSTANBUL'DA YANGIN ÇIKTI", "İstanbul'da yangin çikti"),
            ("YANGIN İSTANBUL'DA ÇIKTI", "YANGIN İSTANBUL'DA ÇIKTI"),  # would become longer
            ("", ""),
        ],
    )
    def test_what_is_lowered(self, text, expected):
        assert lower_rest(text) == expected

    @every(
        "text, terse",
        [
            ("Ferry fire off Bilbao kills twelve people", True),
            ("Incendio de ferry frente a Bilbao mata doce", False),
            ("Fähre brennt nahe Bilbao, zwölf Tote gemeldet", False),
            (" ".join(["ferry"] * 13), False),
        ],
    )
    def test_a_headline_needs_no_little_words(self, text, terse):
        assert Surfaces([text]).terse.tolist() == [terse]


class TestOtherEvents:
    def test_one_article_tells_which_event_is_meant(self):
        other = article("b", [NAPLES, "Naples has seen no such fire in Italy."], NOON + 600)
        assert texts("tidings", article("a", [LEAD, "The ferry burnt off Bilbao."]), other) == [LEAD]

    def test_a_moved_story_is_followed(self):
        moved = (
            "The captain of the burnt ferry was arrested in Bilbao on Friday over the fire, officials said."
        )
        later = "The captain of the ferry was charged on Friday over the deaths in the fire, officials said."
        assert texts("tidings", article("a", [LEAD, moved]), article("b", [later], NOON + 600))[-1] == later


class TestWaitingAtAPace:
    def test_what_finds_no_room_is_told_later(self):
        class Gate:
            room, ended = 0, []

            def wants(self, rank, doc_id):
                return True

            def admits(self, score, doc_id, rank=0):
                return True

            def count_update(self, *, waits=False):
                assert waits

            def ends_waiting(self, *, is_told):
                self.ended.append(is_told)
                self.room -= 1
                return self.room >= 0

        gate = Gate()
        follower = make("tidings:wait=1h").start(FIRE)
        follower.enter(Surroundings(gate=gate))
        assert follower.push(article("a", [LEAD], NOON), NOON) == []
        late = NOON + 9_000
        assert follower.push(article("b", [AGAIN], late), late) == []
        assert gate.ended == [True]
        gate.room = 9
        assert [one.text in (LEAD, AGAIN) for one in follower.finish(late)] == [True]

    def test_what_finds_no_room_waits_on(self):
        gate = PaceGate(Pace(about="1/day"), None, None)
        gate.open(0)
        for _ in range(3):
            gate.count_update(waits=True)
        assert [gate.ends_waiting(is_told=True) for _ in range(3)] == [True, True, False]
        kept = gate.state()
        other = PaceGate(Pace(about="1/day"), None, None)
        other.restore(kept)
        assert other.state() == kept
        other.open(80_000)
        assert not other.ends_waiting(is_told=True)
        assert other.ends_waiting(is_told=False)
        gate.open(86_401)
        assert gate.ends_waiting(is_told=True)

    def test_what_waits_takes_room(self):
        gate = PaceGate(Pace(about="1/day"), None, None)
        gate.open(0)
        gate.admits(1.0, "a")
        gate.count_update(waits=True)
        gate.count_update(waits=True)
        assert not gate.admits(9.0, "b")


@every(
    "text, mode, expected",
    cases(__file__, "what is told last at a pace"),
)
def test_what_is_told_last_at_a_pace(text, mode, expected):
    assert is_no_news(mode, Surfaces([text]), 0) is expected


def test_readers_comments_come_last_at_a_pace():
    comments = [f"I think ferry number {n} off Bilbao was to blame for my fire!" for n in range(30)]
    reports = [
        article(f"r{n}", [MORE.replace("17", str(20 + n))], NOON + 7_200 * n + 3_600) for n in range(20)
    ]
    said = [article(f"c{n}", comments[n : n + 15], NOON + 7_200 * n) for n in range(20)]
    mixed = [one for both in zip(said, reports, strict=True) for one in both]
    updates = texts("tidings:about=10/day", *mixed)
    assert sum(text.startswith("I think") for text in updates) <= 0.1 * len(updates)
