"""Of whom a sentence tells what became of them, and which kinds of people are not the same ones."""

from __future__ import annotations

from tests.sweeps import every
from tidings.following.systems.particulars import (
    Part,
    are_elsewhere,
    by_country,
    find_charge,
    find_hours,
    find_offices,
    find_parts,
    find_people,
    find_shares,
    find_stages,
    find_terms,
    is_apart,
)

STATES = (("killed", "died"), ("died", "died"), ("dead", "died"), ("arrested", "arrested"))


def people(text: str, state: str = "died") -> frozenset[str]:
    return find_people(text, STATES).get(state, Part()).suffered


POLICE, CREW, WOMEN = (people(f"Two {who} died.") for who in ("policemen", "crew", "women"))


@every(
    "text",
    [
        "Two policemen were killed by protesters.",
        "Protesters killed two policemen.",
        "Two officers who were badly injured have since died.",
        "Policeman killed in protest",
        "The protesters have killed a police officer.",
        "A policeman was shot dead by a protester.",
        "A protester shot dead two policemen.",
    ],
)
def test_whom_it_befell(text: str) -> None:
    assert not is_apart(POLICE, people(text)) and is_apart(CREW, people(text))


@every(
    "text", ["Police said 12 were killed.", "Police said three people died.", "One died, a crew member said."]
)
def test_who_says_so_did_not_suffer_it(text: str) -> None:
    assert people(text) == frozenset()


def test_a_woman_may_be_of_the_crew_but_is_no_man() -> None:
    assert not is_apart(WOMEN, CREW) and is_apart(WOMEN, people("Two men died."))
    assert not is_apart(CREW, people("Two sailors died.")) and not is_apart(CREW, frozenset())


def test_only_some_of_them_are_of_a_kind() -> None:
    assert people("Five people, including a journalist, were killed.") == frozenset()
    assert is_apart(people("Two teachers died."), people("Two students died."))
    assert not is_apart(people("Two teachers died."), people("Two civilians died."))


def test_parts_of_a_place() -> None:
    assert find_parts("30 km south of Fez, in South Korea and in South Sudan") == frozenset()
    assert find_parts("off the southwestern coast") == {"south", "west"}
    assert find_parts("Westminster, Northgate, the Easter parade") == frozenset()


def test_a_charge_ends_with_its_words() -> None:
    assert find_charge("He was arrested on suspicion of arson in Orvik.") == {"arson"}
    assert find_charge("She is charged with two counts of reckless homicide over the fire.") >= {"homicid"}
    assert find_charge("He was arrested in Orvik.") == frozenset()


def test_for_how_long() -> None:
    assert find_terms("She was sentenced to 18 months in prison on 3 May.") == {(18, "month")}
    assert find_terms("After four years the bridge is open.") == frozenset()


@every(
    "text, stages",
    [
        ("Prosecutors filed murder charges against her.", {"charge"}),
        ("She pleaded guilty to two charges.", {"plea"}),
        ("A jury found the 27-year-old captain guilty of fraud.", {"verdict"}),
        ("She was convicted and sentenced to a year.", {"verdict", "term"}),
        ("The shop charges two euros.", set()),
    ],
)
def test_stages_of_a_case(text: str, stages: set[str]) -> None:
    assert find_stages(text) == stages


def test_ministers_who_say_so_are_not_whom_it_is_about() -> None:
    assert find_offices("The health minister resigned.") == {"health"}
    assert find_offices("The Defence Minister said Monday he has quit.") == {"defense"}
    assert find_offices("12 died, the health ministry said.") == frozenset()


def test_hours_of_a_turnout() -> None:
    assert find_hours("Turnout was 40% at 6 p.m.") == {"6pm"}
    assert find_hours("Turnout was 40% at the close of polls.") == find_hours(
        "When polls closed turnout was 40%."
    )


def test_shares_of_whom() -> None:
    assert find_shares("With 52% for and 48% against") == {"for": frozenset([48.0])}


def test_a_province_may_hold_a_town_of_less_renown() -> None:
    assert are_elsewhere("Two died in Kabul.", "Two died in Kandahar.")
    assert not are_elsewhere("Two died in Kandahar.", "Two died in Spin Boldakh.")


def test_a_capital_is_a_town_where_something_happens_in_it() -> None:
    assert (
        by_country("Police in Seoul denied it; Seoul's mayor fled.")
        == "Police in Seoul denied it; Seoul's mayor fled."
    )
    assert by_country("Moscow and Kyiv agreed on it.") == "Russia and Ukraine agreed on it."
    for city in (
        "Seoul has been hit by floods.",
        "Paris will host the games.",
        "Kyiv had seen worse attacks.",
    ):
        assert by_country(city) == city
