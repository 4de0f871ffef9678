"""What is chosen of what a reader missed, and how it is ordered."""

from __future__ import annotations

from tidings.core.records import EntityRanking, Event, Evidence, Support, Update, ValueUpdate
from tidings.live.hosting.catching_up import CHARACTERS, catch_up
from tidings.live.store import NumberedOutput

DAY = 86_400


def numbered(*outputs: Update | Support | ValueUpdate | EntityRanking) -> list[NumberedOutput]:
    return [NumberedOutput(number, output) for number, output in enumerate(outputs, 1)]


def update(number: int, text: str, *, day: int = 0, confidence: float = 0.5) -> Update:
    return Update("e", f"d{number}", 0, DAY * day + number, confidence, text)


def support(number: int, outlet: str) -> Support:
    return Support("e", 99, f"d{number}", 0, Evidence("o", 0, source=outlet))


def seqs(outputs: list[NumberedOutput], items: int = 12, characters: int = CHARACTERS) -> list[int]:
    return [one.seq for one in catch_up(outputs, items=items, characters=characters).items]


def test_what_says_the_same_is_chosen_once() -> None:
    told = numbered(
        update(1, "The dam broke near the northern village."),
        update(2, "Near the northern village the dam broke."),
        update(3, "Power was cut in three districts."),
    )
    assert seqs(told, items=2) in ([1, 3], [3, 1], [2, 3], [3, 2])


def test_a_text_that_has_no_room_gives_way_to_one_that_has() -> None:
    told = numbered(
        update(1, "The dam broke. " * 15, confidence=1.0), update(2, "Power was cut.", confidence=0.1)
    )
    assert seqs(told, characters=100) == [2]


def test_a_day_of_which_nothing_was_chosen_goes_first() -> None:
    told = numbered(
        update(1, "Water reached houses.", confidence=0.9),
        update(2, "Bridges were closed.", confidence=0.9),
        update(3, "Schools stayed empty.", confidence=0.9),
        update(4, "Soldiers came by air.", day=1, confidence=0.6),
    )
    assert 4 in seqs(told, items=2)


def test_what_several_outlets_say_goes_first() -> None:
    texts = ["Water reached houses.", "Bridges stayed closed.", "Schools closed today."]
    told = numbered(
        *(update(number, text) for number, text in enumerate(texts, 1)), *(support(2, one) for one in "ab")
    )
    caught_up = catch_up(told, items=1)
    assert [(one.seq, one.outlets) for one in caught_up.items] == [(2, 3)]
    assert (caught_up.updates, caught_up.left) == (3, 2)


def test_what_is_chosen_reads_in_the_order_of_time() -> None:
    texts = [
        "Water reached the old houses by the river.",
        "Water reached houses.",
        "Water reached houses by the river, and the school.",
    ]
    told = numbered(*(update(number, text) for number, text in enumerate([*texts, *texts, *texts], 1)))
    times = [one.output.time for one in catch_up(told[::-1], characters=5000).items]
    assert len(times) == 9 and times == sorted(times)


def test_a_figure_that_stands_as_it_did_is_no_news() -> None:
    def deaths(count: float) -> ValueUpdate:
        return ValueUpdate("e", 5, "deaths", (count,))

    told = numbered(deaths(9.0), deaths(7.0))
    assert not catch_up(told, earlier=[deaths(7.0)]).items
    (one,) = catch_up(told, earlier=[deaths(3.0)]).items
    assert one.seq == 2 and one.before == deaths(3.0)


FERRY = Event(id="e", title="Ferry fire", query="ferry fire")


def test_names_of_two_events_are_shown_at_most_and_those_that_are_new_at_the_top() -> None:
    rankings = [
        EntityRanking(event, "2013-07-24", ("Ana", "Bo", "Cy", "Di"), new=(False, True, True, True))
        for event in ("e", "f", "g")
    ]
    caught_up = catch_up(numbered(*rankings, update(1, "The dam broke.")))
    assert [(one.seq, one.names) for one in caught_up.items] == [
        (1, ("Bo", "Cy")),
        (2, ("Bo", "Cy")),
        (4, ()),
    ]


def test_an_update_whose_number_a_newer_figure_has_replaced_is_passed_over() -> None:
    old = Update("e", "d1", 0, 60, 0.9, "The ferry fire left 11 people injured.", published_time=60)
    new = Update("e", "d2", 0, 9_000, 0.5, "The ferry fire was put out by the harbor.", published_time=9_000)
    figure = ValueUpdate("e", 3_600, "injuries", (14.0,))
    for characters in (CHARACTERS, 90):  # whether all have room or some must be chosen
        shown = catch_up(numbered(old, figure, new), characters=characters, events={"e": FERRY}).items
        assert [one.output for one in shown] == [figure, new]
    assert len(catch_up(numbered(old, figure, new)).items) == 3


def test_a_figure_has_the_range_where_a_newer_update_differs() -> None:
    said = Update("e", "d1", 0, 90, 0.5, "The ferry fire left 11 people injured.", published_time=90)
    outputs = numbered(ValueUpdate("e", 60, "injuries", (9.0,)), said)
    figure = catch_up(outputs, events={"e": FERRY}).items[0].output
    assert isinstance(figure, ValueUpdate) and figure.reported == (9.0, 11.0)


def test_a_plan_whose_day_has_passed_is_not_to_come() -> None:
    meeting = "The ministers will meet in Selde on Saturday to talk about the ferry fire, a spokesman said."
    later = "The inquiry into the fire has been closed."
    friday, days = 1374840000, 86_400

    def read(after: int) -> list[str]:
        told = [
            Update("e", f"d{time}", 0, time, 1.0, text, time)
            for time, text in ((friday, meeting), (friday + after, later))
        ]
        items = catch_up([NumberedOutput(n, one) for n, one in enumerate(told, 1)]).items
        return [missed.output.text for missed in items if isinstance(missed.output, Update)]

    assert read(days) == [meeting, later]
    assert read(2 * days) == [later]
    for meeting in (
        "Police arrested the ferry's captain, who is due in court on Saturday.",
        "The minister resigned over the fire and will leave office on Saturday.",
        "Divers found the wreck of the ferry; the search will end on Saturday.",
        "The peace plan was signed on Friday and takes effect on Saturday.",
        "Will Jones told the inquiry about the fire on Saturday.",
    ):
        assert read(2 * days) == [meeting, later]
