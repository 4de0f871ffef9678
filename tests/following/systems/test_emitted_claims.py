"""What was emitted in other words is told no more, and news that shares its words with an update is."""

from __future__ import annotations

from tests.sweeps import every
from tidings.core import Event
from tidings.following.systems.emitted_claims import EmittedClaims

FERRY = Event(id="e", title="Ferry fire", query="ferry fire")
TOLL = "At least 35 people died in the ferry fire off Nador, the mayor said."


def has(emitted: str, text: str, language: str = "english") -> bool:
    claims = EmittedClaims(FERRY, lambda stem: 1.0, language)
    claims.add(emitted, 0)
    return claims.has(text, 60)


def test_the_same_toll_in_other_words_is_known() -> None:
    assert has(TOLL, "The fire on the ferry killed 35 people off Nador.")


def test_a_toll_that_could_rise_is_the_same_toll() -> None:
    rising = "The fire on the ferry killed 35 people off Nador, and the toll could rise, officials said."
    assert has(TOLL, rising) and has(rising, TOLL)


def test_an_arrest_is_told_once() -> None:
    arrest = "The driver of the train has been arrested on suspicion of recklessness, the police chief said on Friday."
    again = "The driver of the train has been arrested on suspicion of reckless homicide, a police spokesman said."
    assert has(arrest, again)
    assert not has(arrest, again.replace("The driver", "A second driver"))
    assert not has(arrest, again.replace("the train", "the bus"))
    assert not has(again, again.replace("arrested", "charged"))


def test_the_dead_beside_an_arrest_do_not_make_it_news() -> None:
    assert has(
        "The owner of the dredger that hit the ferry has been arrested on suspicion of manslaughter, police said.",
        "The owner of the dredger was arrested Thursday on suspicion of manslaughter in the ferry fire that killed 4.",
    )


@every(
    "emitted, text",
    [
        (TOLL, "The fire on the ferry killed 36 people off Nador."),
        (TOLL, "The ferry fire that killed 35 people was caused by a faulty engine, investigators said."),
        ("Fire on ferry kills 12 people in Nador", "Fire on ferry kills 12 people in Melilla"),
        ("Police arrested the captain of the burnt ferry.", "Police arrested the owner of the burnt ferry."),
        ("Police arrested the wife of the burnt ferry's owner.", "Police arrested the burnt ferry's owner."),
        ("The ferry line's vice president has resigned.", "The ferry line's president has resigned."),
        ("The captain was arrested and the owner fled, police said.", "The owner was arrested, police said."),
        (
            "Some of the ferry's hostages were freed, the navy said.",
            "All of the ferry's hostages were freed, the navy said.",
        ),
        (
            "The suspect in attacks against ferries was arrested.",
            "The suspect in attacks against ferries was arrested again.",
        ),
        (
            "Two men were arrested over the ferry fire, police said.",
            "Two more men were arrested over the ferry fire.",
        ),
        (
            "Two people died in hospital after the ferry fire.",
            "Another two people died in hospital after the ferry fire.",
        ),
        (
            TOLL,
            "The port reported that 35 people died in the ferry fire off Nador and that cholera was spreading.",
        ),
        (TOLL, "Days after 35 people died in the ferry fire off Nador the captain was arrested."),
        (TOLL, "The ferry fire off Nador killed 35 people, whose families will sue the owner."),
        (TOLL, "Divers said that 35 people died in the ferry fire and that a bomb was found on board."),
        (
            "Bei dem Brand der Ferry vor Nador wurden 35 Menschen nicht verletzt",
            "Bei dem Brand der Ferry vor Nador wurden 35 Menschen verletzt",
        ),
    ],
)
def test_news_that_shares_its_words_is_not(emitted: str, text: str) -> None:
    assert not has(emitted, text)


def test_only_events_in_english_are_asked() -> None:
    toll = "The ferry fire killed 35 people."
    assert has(toll, toll)
    assert not has(toll, toll, "german")
