"""Dead, injured and missing, and other counted things, in languages other than English."""

from tests.core.languages.streams import LANGUAGES
from tests.sweeps import every
from tidings.analysis.values.counts import find_counts
from tidings.analysis.values.counts_by_language import TOLL_LANGUAGES, find_counts_in
from tidings.core import CASUALTIES

DEATHS = [3, 12, 19]


def counted(text: str, code: str) -> list[tuple[str, float]]:
    return [(one.attribute, one.value) for one in find_counts_in(text, code)]


@every("code", LANGUAGES)
def test_the_rising_toll_of_the_flood(code: str) -> None:
    facts = LANGUAGES[code]["facts"]
    for wordings, deaths in zip((facts[1], facts[3], facts[6]), DEATHS, strict=True):
        for wording in wordings:
            assert ("deaths", deaths) in counted(wording, code)
    assert ("missing", 5) in counted(facts[6][0], code)


@every("code", LANGUAGES)
def test_residents_are_no_toll(code: str) -> None:
    for wording in LANGUAGES[code]["facts"][2]:
        ((attribute, value),) = counted(wording, code)
        assert value == 4000 and attribute not in CASUALTIES


@every("code", LANGUAGES)
def test_other_news_has_no_toll(code: str) -> None:
    assert not any(
        attribute in CASUALTIES for text in LANGUAGES[code]["others"] for attribute, _ in counted(text, code)
    )


@every(
    "code, text, numbers",
    [
        ("de", "Am 3. Mai um 12 Uhr starben zwei Menschen", [("deaths", 2)]),
        ("de", "Er ist 45 Jahre alt und 12 Tage fort", []),
        ("de", "12 Verletzte, 3 Tote", [("injuries", 12), ("deaths", 3)]),
        ("es", "El 5 de mayo murieron 1.204 personas", [("deaths", 1204)]),
        ("fr", "Trente-deux communes, 2 000 foyers", [("foyers", 2000)]),
        ("zh", "二十三人遇难，三千二百人受伤", [("deaths", 23), ("injuries", 3200)]),
        ("zh", "２０２６年3月5日", []),
        ("ja", "2026年に死者１２人", [("deaths", 12)]),
        ("ru", "Погибли 12 человек, пять пропали без вести", [("deaths", 12), ("missing", 5)]),
        ("xx", "12 mortoj", [("mortoj", 12)]),
        ("de", "10:30 2026-03-04 1/2", []),
    ],
)
def test_cases(code: str, text: str, numbers: list[tuple[str, float]]) -> None:
    assert counted(text, code) == numbers


def test_english_keeps_its_own_rules() -> None:
    text = "At least 80 dead; BP paid $20bn"
    assert find_counts(text, "en") == find_counts(text) != []
    assert find_counts("12 Tote", "de")[0].attribute == "deaths"


@every("code", [*TOLL_LANGUAGES, "xx"])
def test_hostile_texts(code: str) -> None:
    for text in ("1" * 5000, "9,999," * 500, "十" * 5000, "\ud8001\0", "1 " * 5000):
        assert len(find_counts_in(text, code)) <= 20
