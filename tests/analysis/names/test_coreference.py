"""Which names are one entity's: copies, surnames, acronyms, demonyms, pronouns; and names that are not."""

from __future__ import annotations

from tests.sweeps import cases, every
from tidings.analysis.names.coreference import Chain, keys_of, resolve, same_entity


def chains(*told: str) -> list[Chain]:
    """Sentences whose names stand in brackets, with their type: `[Barack Obama|PER] spoke`."""
    sentences, spans = [], []
    for sentence in told:
        tokens: list[str] = []
        own = []
        start = -1
        for token in sentence.split():
            word = token
            if word.startswith("["):
                start, word = len(tokens), word[1:]
            word, _, kind = word.partition("|")
            tokens.append(word)
            if kind:
                own.append((start, len(tokens), kind.rstrip("]")))
        sentences.append(tokens)
        spans.append(own)
    return resolve(sentences, spans)


def sizes(found: list[Chain]) -> dict[str, int]:
    return {chain.name: len(chain.references) for chain in found}


@every(
    "told, expected",
    cases(__file__, "names", lists=True),
)
def test_names(told: list[str], expected: dict[str, int]) -> None:
    assert sizes(chains(*told)) == expected


def test_titles_tell_two_bearers_of_a_name_apart() -> None:
    found = chains(
        "[Bill Clinton|PER] and [Hillary Clinton|PER] came", "Mrs. [Clinton|PER] and Mr. [Clinton|PER]"
    )
    assert [[one.sentence for one in chain.references] for chain in found] == [[0, 1], [0, 1]]
    assert found[0].references[1].start == 4


def test_pronouns_go_to_a_person_whose_gender_fits() -> None:
    found = chains(
        "[Mary Smith|PER] met [John Smith|PER] in [Rome|LOC] .", "She told him .", "It rained on her ."
    )
    assert [[one.how for one in chain.references] for chain in found] == [
        ["name", "pronoun", "pronoun"],
        ["name", "pronoun"],
        ["name"],
    ]


def test_a_pronoun_far_from_names_stands_for_none() -> None:
    found = chains("[Mary Smith|PER] came .", "It rained .", "It poured .", "She left .")
    assert sizes(found) == {"Mary Smith": 1}
    assert len(resolve([["Ann", "Lee", ",", "she"]], [[(0, 2, "PER")]], pronouns=False)[0].references) == 1


def test_demonyms_speak_of_a_place_that_is_named() -> None:
    found = chains("French and German troops entered [Mali|LOC] .", "[France|LOC] denied it .")
    assert [(chain.name, [one.how for one in chain.references]) for chain in found] == [
        ("France", ["demonym", "name"]),
        ("Mali", ["name"]),
    ]


def test_demonyms_within_names_are_part_of_these() -> None:
    found = chains("[France|LOC] lost .", "The [French Football Federation|ORG] was silent .")
    assert sizes(found) == {"France": 1, "French Football Federation": 1}


def test_of_two_men_the_first_of_the_sentence_is_meant() -> None:
    found = chains("[John Smith|PER] met [Paul Jones|PER] .", "He left .")
    assert sizes(found) == {"John Smith": 2, "Paul Jones": 1}


def test_its_speaks_of_a_body_or_place_near_it() -> None:
    found = chains("[Ann Lee|PER] left [Acme|ORG] , its board said .", "It rained .", "Its price fell .")
    assert sizes(found) == {"Ann Lee": 1, "Acme": 2}


@every(
    "longer, shorter, kind, expected",
    cases(__file__, "names that may be one"),
)
def test_names_that_may_be_one(
    longer: tuple[str, ...], shorter: tuple[str, ...], kind: str, expected: bool
) -> None:
    assert same_entity(longer, shorter, kind) is expected
    if expected:
        assert keys_of(longer) & keys_of(shorter)


def test_renaming_everyone_leaves_the_chains() -> None:
    told = (
        "[Anna Berg|PER] of [Acme Corp.|ORG] met [Ivan Petrov|PER]",
        "[Berg|PER] left [Acme|ORG]",
        "[Petrov|PER] too",
    )
    renamed = [
        one.replace("Berg", "Moran").replace("Petrov", "Haddad").replace("Acme", "Zenith") for one in told
    ]

    def shape(found: list[Chain]) -> list[tuple[tuple[int, int, str], ...]]:
        return [tuple((one.sentence, one.start, one.how) for one in chain.references) for chain in found]

    assert shape(chains(*told)) == shape(chains(*renamed))


def test_a_prefix_of_the_text_gives_a_prefix_of_the_chains() -> None:
    told = ["[Anna Berg|PER] left .", "[Berg|PER] and [Ivan Petrov|PER] met .", "He told her of [Rome|LOC] ."]
    whole = chains(*told)
    for size in range(1, len(told)):
        cut = [
            [one for one in chain.references if one.sentence < size]
            for chain in whole
            if chain.references[0].sentence < size
        ]
        assert [list(chain.references) for chain in chains(*told[:size])] == cut
