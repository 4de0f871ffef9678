"""What was emitted in other words is told no more, and news that shares its words with an update is."""

from __future__ import annotations

from tests.sweeps import every
from tidings.core import Event
from tidings.following.systems.emitted_claims import EmittedClaims

FERRY = Event(id="e", title="Ferry fire", query="ferry fire")
TOLL = "At least 35 people died in the ferry fire off Nador, the mayor said."


WEDNESDAY, FRIDAY = 1_374_667_200, 1_374_840_000  # at noon, in July 2013


def told_by(emitted: str, time: int) -> EmittedClaims:
    claims = EmittedClaims(FERRY, lambda stem: 1.0)
    claims.add(emitted, time)
    return claims


def has(emitted: str, text: str, language: str = "english") -> bool:
    claims = EmittedClaims(FERRY, lambda stem: 1.0, language)
    claims.add(emitted, 0)
    return claims.has(text, 60)


def test_the_same_toll_in_other_words_is_known() -> None:
    assert has(TOLL, "The fire on the ferry killed 35 people off Nador.")


def test_who_says_so_does_not_make_a_toll_news() -> None:
    assert has(TOLL, "Doctors said that 35 people had died in the ferry fire off Nador.")
    assert not has(TOLL, "Doctors said that 36 people had died in the ferry fire off Nador.")


DEAL = (
    "The ferry's crew and its owner reached a tentative deal on Sunday to end the strike, a spokesman said."
)
DENIAL = "The owner of the ferry denied accusations that its fire doors were locked."


@every(
    "emitted, text, known",
    [
        (
            DEAL,
            "The owner of the ferry and its crew have struck a provisional agreement to end the strike.",
            True,
        ),
        (DEAL, "The owner of the ferry and its crew have struck a final agreement to end the strike.", False),
        (
            DEAL,
            "The owner of the ferry and its cooks have struck a provisional agreement to end the strike.",
            False,
        ),
        (DEAL, "The ferry's crew and its owner rejected a tentative deal to end the strike.", False),
        (
            DENIAL,
            "The ferry's owner has rejected claims that its fire doors were locked, a spokesman said.",
            True,
        ),
        (
            DENIAL,
            "The ferry's captain has rejected claims that its fire doors were locked, a spokesman said.",
            False,
        ),
        (
            DENIAL,
            "The ferry's owner has rejected claims that its fire alarms were broken, a spokesman said.",
            False,
        ),
        (DENIAL, "The ferry's owner has admitted that its fire doors were locked, a spokesman said.", False),
        (
            "The ferry's crew reached a deal with the owner on pensions, a spokesman said.",
            "The ferry's crew reached a deal with the owner on wages, a spokesman said.",
            False,
        ),
        ("The port called off the ferry's race.", "The ferry's race was canceled by the port.", True),
        (
            "The mayor of the port was found guilty of fraud on Monday, a court said.",
            "The mayor of the port was convicted of fraud on Monday.",
            True,
        ),
        (
            "The mayor of the port was convicted of fraud on Monday.",
            "The mayor of the port was convicted of murder on Monday.",
            False,
        ),
        (
            "The captain of the ferry was jailed for four years for fraud.",
            "The captain of the ferry has been sentenced to four years in prison for fraud.",
            True,
        ),
        (
            "South Korea's government rejected claims that it sold weapons to the port.",
            "Seoul rejected claims that it sold weapons to the port.",
            True,
        ),
        (
            "About 2,000 people have been evacuated from the port.",
            "About 2,000 people evacuated from the port have returned home.",
            False,
        ),
    ],
)
def test_a_turn_of_the_story_is_told_once(emitted: str, text: str, known: bool) -> None:
    assert has(emitted, text) is known


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


def test_an_office_is_taken_and_lost_once() -> None:
    oath = "Ana Soler was sworn in as prime minister on Tuesday after her party's landslide."
    removal = "Peru's Congress voted to impeach President José Ruiz, four months after he took office."
    for told, again in (
        (
            oath,
            "The heir to an old family, Ana Soler has been sworn in as prime minister, the first woman to lead it.",
        ),
        (removal, "Peru ousts its president over a bribe"),
    ):
        assert has(told, again), again
    for told, news in (
        (oath, "Ana Soler was sworn in as president on Tuesday."),
        (oath, "Prime minister Ana Soler named a cabinet after being sworn in on Tuesday."),
        (oath.replace("was", "will be"), oath),
        (removal, "Peru's new president was sworn in hours after Congress ousted the president."),
        (oath, "Kenya's prime minister Otieno Were was sworn in."),
    ):
        assert not has(told, news), news


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


CAPTAIN = "The captain of the ferry was arrested on suspicion of {}, police said."
STRIKE = "A drone strike on a market in {} killed 12 people{}, medics said."


@every(
    "emitted, text",
    [
        (STRIKE.format("northern Sudan", ""), STRIKE.format("southern Sudan", "")),
        (STRIKE.format("Kosti", " on Monday"), STRIKE.format("Kosti", " on Thursday")),
        (STRIKE.format("Kosti", ""), STRIKE.format("Kosti", " on Friday")),
        ("Air strike on Kosti kills 12 people", "Air strike on Rabak kills 12 people"),
        (CAPTAIN.format("fraud"), CAPTAIN.format("murder")),
        ("The captain was arrested on Monday, police said.", "Police arrested the captain on Thursday."),
        ("Two crew were killed in the ferry fire.", "Two rescuers were killed in the ferry fire."),
        (
            "The ferry fire killed 12 people in Haiti.",
            "The ferry fire killed 12 people in the Dominican Republic.",
        ),
        ("As many as 20 people are feared dead in the ferry fire.", "The ferry fire killed 20 people."),
        ("The ferry fire may have killed 20 people.", "Twenty people died in the ferry fire."),
        ("Owners won 54 votes on the ferry fire.", "Sailors won 54 votes on the ferry fire."),
        ("Shares of the ferry line rose 30%.", "Shares of the ferry line fell 30%."),
        ("A quake killed 20 people on the ferry.", "An aftershock killed 20 people on the ferry."),
        ("12 firefighters were hurt in the ferry fire.", "12 children were hurt in the ferry fire."),
        ("Three policemen were killed in clashes.", "Three protesters were killed in clashes."),
        ("Fire on ferry kills 12 people near Anna Bay", "Fire on ferry kills 12 people near Ann Bay"),
    ],
)
def test_another_deed_of_the_kind_is_news(emitted: str, text: str) -> None:
    assert not told_by(emitted, WEDNESDAY).has(text, FRIDAY)
    assert told_by(text, FRIDAY).has(text, FRIDAY)


@every(
    "emitted, text",
    [
        (
            "A couple were killed in the ferry fire off Nador.",
            "Two people were killed in the ferry fire off Nador.",
        ),
        (
            "Two people were killed in the ferry fire off Nador.",
            "The ferry fire off Nador killed an elderly couple.",
        ),
        ("Two crew members were killed in the ferry fire.", "The ferry fire killed two sailors."),
        ("Twenty people died in the ferry fire.", "As many as 20 people are feared dead in the ferry fire."),
        (
            "The ferry fire has killed 35 people, the mayor said on Monday.",
            "The ferry fire has killed 35 people, the mayor said on Wednesday.",
        ),
        (
            "The captain of the ferry was arrested on Monday, police said on Tuesday.",
            "Police said on Wednesday that the captain of the ferry was arrested on Monday.",
        ),
        (CAPTAIN.format("fraud"), CAPTAIN.format("tax fraud")),
        (
            "The death toll in the ferry fire rose to seven on Tuesday after three bodies were found, the port said.",
            "Seven people are now known to have died in the ferry fire, officials said on Tuesday.",
        ),
        (STRIKE.format("Kosti", " on Monday"), STRIKE.format("Kosti", "")),
    ],
)
def test_the_same_deed_with_less_or_more_said_is_known(emitted: str, text: str) -> None:
    assert told_by(emitted, WEDNESDAY).has(text, WEDNESDAY + 3_600)


def test_what_only_its_words_share_with_an_update_is_another_deed() -> None:
    emitted = told_by(STRIKE.format("northern Sudan", ""), WEDNESDAY)
    south = STRIKE.format("southern Sudan", "")
    assert emitted.tell_another(south, FRIDAY)
    emitted.add(south, FRIDAY)
    assert not emitted.tell_another(south, FRIDAY)
    assert not emitted.tell_another(STRIKE.format("Sudan", ""), FRIDAY)
    assert not emitted.tell_another("The market of southern Sudan was closed.", FRIDAY)


def test_only_events_in_english_are_asked() -> None:
    toll = "The ferry fire killed 35 people."
    assert has(toll, toll)
    assert not has(toll, toll, "german")
