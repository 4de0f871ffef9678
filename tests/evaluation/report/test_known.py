"""What a reader sees first: figures with who reports them, the latest updates, and who else says them."""

from __future__ import annotations

import io
import re

from msgspec.structs import replace
from rich.console import Console

from tests.evaluation.report.ferry import EVENT, START, judged_timeline, update
from tests.sweeps import cases, every
from tidings.core.display.clock import Clock
from tidings.core.records import Evidence, Support, Update, ValueUpdate
from tidings.evaluation.report.page import render_page
from tidings.following.report.figures import known_figures, support_words
from tidings.following.report.terminal import print_timeline
from tidings.following.report.timeline import (
    TimelineReport,
    build_timeline,
    casualties_in,
)

DEAD = update("a", 1, "At least 12 people were killed, the coast guard says.", "Coast Radio")
FIRE = update("f", 2, "The fire on the ferry is out, a port spokeswoman announced.", "Harbour Post")
URL = "https://north.example/ferry"
ALONE = "No other outlet seen saying this"


def again(one: Update, source: str, minutes: int, *, same: bool = True, text: str = "Again.") -> Support:
    time = one.time + 60 * minutes
    evidence = Evidence(f"{source}-doc", 0, text, time, source, f"Title of {source}", URL)
    return Support(EVENT.id, max(time, one.time), one.doc_id, one.sentence_index, evidence, same)


def deaths(*texts: str) -> int | None:
    updates = [update(str(number), number, text) for number, text in enumerate(texts, 1)]
    return build_timeline(EVENT, updates).casualties.deaths


def printed(timeline: TimelineReport) -> str:
    file = io.StringIO()
    print_timeline(Console(file=file, width=100), timeline)
    return file.getvalue()


class TestFigures:
    def test_say_who_reports_them_and_what_was_said_before(self) -> None:
        more = update("b", 3, "The death toll has risen to 31.", "North Wire")
        (figure,) = known_figures(
            build_timeline(
                EVENT, [DEAD, more], supports=[again(more, "Post", 5, text="The death toll is now at 31.")]
            )
        )
        assert (figure.number, figure.label) == ("31", "dead")
        assert [source.outlet for source in figure.sources] == ["North Wire", "Post"]
        assert [(step.number, step.source and step.source.outlet) for step in figure.series] == [
            ("at least 12", "Coast Radio"),
            ("31", "North Wire"),
        ]
        assert figure.words(Clock()) == "31 dead, as reported by North Wire and Post, 24 Jul 21:30"

    def test_name_who_reports_them_now(self) -> None:
        counts = [("A", 12), ("B", 14), ("C", 12)]
        updates = [update(name, n, f"{n} people were killed.", name) for name, n in counts]
        updates = [replace(one, time=START + 60 * place) for place, one in enumerate(updates)]
        (figure,) = known_figures(build_timeline(EVENT, updates))
        assert [source.outlet for source in figure.sources] == ["B"]
        assert (figure.number, figure.others) == ("14", "reports differ: 12 to 14")

    def test_stand_on_the_page_with_links_and_in_the_terminal(self) -> None:
        timeline = build_timeline(EVENT, [replace(DEAD, url=URL)])
        page = render_page(timeline, charts=False)
        assert f'as reported by <a href="{URL}" rel="noopener noreferrer nofollow">Coast Radio</a>' in page
        assert "12 dead, as reported by Coast Radio, 24 Jul 19:30" in printed(timeline)

    def test_are_the_tracked_values_where_there_are_some(self) -> None:
        evidence = (Evidence("d", 0, "Eleven died.", START, "BBC", "Oil", URL),)
        values = [
            ValueUpdate(EVENT.id, START + 60, "deaths", (9.0,)),
            ValueUpdate(EVENT.id, DEAD.time, "deaths", (11.0,), evidence=evidence),
            ValueUpdate(EVENT.id, START + 60, "location", (1.0, -2.0), evidence=evidence),
        ]
        timeline = build_timeline(EVENT, [DEAD], values=values)
        figure, place = known_figures(timeline)
        assert (place.number, place.label) == ("a place at", "(1.00° N, 2.00° W)")
        assert [source.outlet for source in place.sources] == ["BBC"]
        assert (figure.number, [source.outlet for source in figure.sources]) == ("11", ["BBC"])
        assert [step.number for step in figure.series] == ["9", "11"]
        assert timeline.casualties.deaths == 11

    @every(
        "text",
        cases(__file__, "of other events do not stand"),
    )
    def test_of_other_events_do_not_stand(self, text: str) -> None:
        assert casualties_in(text)
        assert deaths(text) is None

    def test_of_this_year_stand(self) -> None:
        assert deaths("On 24 July 2013 some 14 people were killed.") == 14

    def test_those_in_hospital_are_injured(self) -> None:
        """They raise the injured, and lower no number that was higher before."""
        known = known_figures(build_timeline(EVENT, [update("a", 1, "12 died; 9 injured are in hospital.")]))
        assert [figure.kind for figure in known] == ["deaths", "injuries"]
        texts = ("20 people were injured.", "9 injured are in hospital.")
        updates = [update(text[:1], number, text) for number, text in enumerate(texts, 1)]
        assert [figure.number for figure in known_figures(build_timeline(EVENT, updates))] == ["20"]

    @every(
        "texts, standing",
        [
            (["11 people were killed.", "20,000 people were killed."], 11),
            (["11 people were killed.", *["20,000 people were killed."] * 5], 11),
            (["11 people were killed.", "70 people were killed."], 11),
            (["11 people were killed.", "40 people were killed."], 40),
            (["11 people were killed.", "The death toll is 40."], 40),
            (["11 people were killed.", "40 people were killed.", "Fire killed 41 people."], 41),
            (["200 people were killed."], None),
            (["200 people were killed.", "It killed 195 people."], None),
            (["200 people were killed.", "It killed 195 people.", "Fire killed 201 people."], 201),
        ],
    )
    def test_much_larger_ones_wait_for_others_with_other_words(
        self, texts: list[str], standing: int | None
    ) -> None:
        assert deaths(*texts) == standing

    def test_that_others_report_too_need_not_wait(self) -> None:
        large = update("a", 1, "A fire killed 200 people.")
        supports = [again(large, name, 5, text=f"{name}: 200 killed.") for name in ("Post", "Wire")]
        assert build_timeline(EVENT, [large]).casualties.deaths is None
        assert build_timeline(EVENT, [large], supports=supports).casualties.deaths == 200


class TestSupport:
    def test_counts_outlets_and_names_the_first_in_time(self) -> None:
        supports = [again(FIRE, "Wire", 30), again(FIRE, "Post", -10), again(FIRE, "Radio", 0)]
        (entry,) = build_timeline(EVENT, [FIRE], supports=supports).entries
        assert support_words(entry) == "Post broke it, 10 min earlier; repeated by 3 outlets"

    @every(
        "minutes, words",
        cases(__file__, "of one outlet names it"),
    )
    def test_of_one_outlet_names_it(self, minutes: int, words: str) -> None:
        (entry,) = build_timeline(EVENT, [FIRE], supports=[again(FIRE, "Post", minutes)]).entries
        assert support_words(entry) == words

    def test_without_outlets_counts_articles(self) -> None:
        nameless = Support(EVENT.id, FIRE.time, "f", 0, Evidence("z", 0, "Out."))
        (entry,) = build_timeline(EVENT, [FIRE], supports=[nameless]).entries
        assert support_words(entry) == "Also in 1 other article"

    def test_an_update_of_one_outlet_alone_is_marked(self) -> None:
        timeline = build_timeline(EVENT, [DEAD, FIRE], supports=[again(DEAD, "Post", 5)])
        assert [entry.alone for entry in timeline.entries] == [False, True]
        assert support_words(timeline.entries[1]) == ALONE
        assert render_page(timeline, charts=False).count(ALONE) == 2
        assert ALONE in printed(timeline)

    def test_no_mark_where_something_near_was_seen_or_nothing_was_counted(self) -> None:
        near = [again(DEAD, "Post", 5), again(FIRE, "Post", 5, same=False)]
        for supports in (near, [], near[1:]):
            timeline = build_timeline(EVENT, [DEAD, FIRE], supports=supports)
            assert not any(entry.alone for entry in timeline.entries)

    def test_is_listed_on_the_page_with_links_and_in_the_terminal(self) -> None:
        supports = [again(FIRE, "Post", 12), again(FIRE, "Wire", 20)]
        timeline = build_timeline(EVENT, [FIRE], supports=supports)
        page = render_page(timeline, charts=False)
        assert "<summary>Repeated by 2 outlets, first by Post, 12 min later</summary>" in page
        assert f'<a href="{URL}" rel="noopener noreferrer nofollow">Post: Title of Post</a>' in page
        assert "Repeated by 2 outlets, first by Post, 12 min later" in printed(timeline)

    def test_of_strangers_stays_text(self) -> None:
        nasty = Evidence("z", 0, "x", FIRE.time, "<script>", "<img src=x>\u202e", "javascript:alert(1)")
        support = Support(EVENT.id, FIRE.time, "f", 0, nasty)
        page = render_page(build_timeline(EVENT, [FIRE], supports=[support]), charts=False)
        assert "&lt;script&gt;: &lt;img src=x&gt;" in page
        assert "javascript:" not in page
        assert "\u202e" not in page


class TestFirstScreen:
    def test_is_the_story_and_the_judging_comes_after_the_days(self) -> None:
        page = render_page(judged_timeline(), charts=False)
        names = ("known", "latest", "timeline", "judged", "nuggets", "scores")
        places = [page.index(f'id="{name}"') for name in names]
        assert places == sorted(places)

    def test_holds_no_word_of_the_trade(self) -> None:
        first = render_page(judged_timeline(), charts=False).partition("<body>")[2]
        shown = re.sub(r"<[^>]+>", " ", first.partition('<section id="timeline"')[0])
        trade = r"query|nuggets?|latency|precision|recall|TREC|LC|H"
        assert "Fire on the ferry Estrela" in shown
        assert not re.search(rf"\b(?:{trade})\b", shown)

    def test_shows_the_last_updates_the_last_first(self) -> None:
        page = render_page(judged_timeline(), charts=False)
        latest = page.partition('id="latest"')[2].partition("</section>")[0]
        assert latest.count('class="said"') == 5
        assert latest.index("captain has been arrested") < latest.index("Three of the dead")

    def test_calls_an_event_on_the_spot_by_its_words_with_a_capital(self) -> None:
        page = render_page(build_timeline(replace(EVENT, title="ferry fire"), [FIRE]), charts=False)
        assert "<h1>Ferry fire</h1>" in page

    def test_names_the_host_where_the_outlet_has_no_name(self) -> None:
        hosted = replace(FIRE, source="", url=URL, title="Fire")
        page = render_page(build_timeline(EVENT, [hosted]), charts=False)
        assert f'<a href="{URL}" rel="noopener noreferrer nofollow">north.example: Fire</a>' in page


def test_a_timeline_without_updates_claims_nothing() -> None:
    timeline = build_timeline(EVENT, [])
    assert known_figures(timeline) == []
    assert 'id="latest"' not in render_page(timeline, charts=False)


def test_moments_have_their_year_where_there_are_several() -> None:
    later = replace(FIRE, time=FIRE.time + 365 * 86400)
    assert build_timeline(EVENT, [DEAD, FIRE]).moment(DEAD.time) == "24 Jul 19:30"
    assert build_timeline(EVENT, [DEAD, later]).moment(DEAD.time) == "24 Jul 2013 19:30"


def test_a_title_that_is_all_the_text_is_shown_once() -> None:
    alone = Update(
        EVENT.id,
        "h",
        0,
        START + 60,
        text="Ferry burns off Nador",
        title="Ferry burns off Nador",
        source="BBC",
    )
    timeline = build_timeline(EVENT, [alone])
    assert "BBC: Ferry burns" not in render_page(timeline, charts=False)
    file = io.StringIO()
    print_timeline(Console(file=file, width=100), timeline)
    assert file.getvalue().count("Ferry burns off Nador") == 1
