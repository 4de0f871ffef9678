"""Claims vote: which value is current, when it changes, and what it takes to surprise."""

from __future__ import annotations

import pytest
from msgspec.msgpack import decode, encode
from msgspec.structs import replace

from tests.sweeps import every
from tidings.following.values.series import Claim, Rules, Series, SeriesState, example_claim

HOUR = 3600


def series_of(claims: list[Claim], rules: Rules | None = None) -> Series:
    series = Series(rules or Rules())
    for claim in claims:
        series.add(claim)
        series.settle(claim.time)
    return series


def claims_of(
    *values: float, gap_s: int = HOUR, begin: int = 0, weight: float = 1.0, mark: str = "d"
) -> list[Claim]:
    return [
        example_claim(value, begin + gap_s * number, f"{mark}{number}", weight)
        for number, value in enumerate(values)
    ]


def test_nothing_is_said_before_enough_support():
    assert series_of(claims_of(12, weight=0.5)).current is None
    assert series_of(claims_of(12)).current == 12


def test_the_best_supported_value_is_current():
    assert series_of(claims_of(12, 14, 14, 12, 14)).current == 14


def test_a_rising_toll_is_followed():
    series = Series(Rules())
    current = []
    for claim in claims_of(2, 2, 4, 4, 7, 7, 12, 12, 20, 20, 20):
        series.add(claim)
        series.settle(claim.time)
        current.append(series.current)
    assert current == [2, 2, 2, 4, 4, 7, 7, 12, 12, 20, 20]


def test_a_downward_correction_is_followed():
    """Police lower the toll from 80 to 78: two outlets are enough, though five said 80."""
    before = claims_of(80, 80, 80, 80, 80)
    corrected = [
        replace(claim, weight=2.0, instead_of=80.0)
        for claim in claims_of(78, 78, begin=20 * HOUR, mark="later")
    ]
    assert series_of(before).current == 80
    assert series_of([*before, *corrected]).current == 78
    mere = [replace(claim, weight=1.0) for claim in claims_of(78, begin=20 * HOUR, mark="later")]
    assert series_of([*before, *mere]).current == 80


def test_without_a_correction_a_lower_value_needs_more():
    before = claims_of(80, 80, 80)
    assert series_of([*before, *claims_of(60, begin=5 * HOUR, mark="later")]).current == 80


@every("value, need", [(15, 1), (25, 2), (40, 3), (20_000, 3)])
def test_admission_by_documents(value, need):
    """Far above the current value so many documents must agree, however much weight one has."""
    before = claims_of(10, 10, 10, 10)
    for number in range(1, 5):
        later = [
            replace(claim, weight=50.0)
            for claim in claims_of(*[value] * number, begin=5 * HOUR, mark="later")
        ]
        assert (series_of([*before, *later]).current == value) == (number >= need)


@every("value, need", [(30, 1), (60, 1), (61, 2), (90, 2), (91, 3)])
def test_admission_of_the_first_value(value, need):
    for number in range(1, 5):
        series = series_of([replace(claim, weight=50.0) for claim in claims_of(*[value] * number)])
        assert (series.current == value) == (number >= need)


def test_admission_asks_for_texts_of_their_own():
    """The same words in ten documents are one witness."""
    before = claims_of(10, 10, 10, 10)
    copies = [
        replace(claim, text=1, weight=9.0) for claim in claims_of(*[500] * 10, begin=5 * HOUR, mark="copy")
    ]
    assert series_of([*before, *copies]).current == 10


def test_admission_of_a_fall_asks_for_witnesses_since():
    """What was said of few before the current value stood is no word for a fall to them."""
    small = claims_of(17, 18, 17, 17)
    large = claims_of(*[150] * 6, begin=10 * HOUR, mark="large")
    late = [replace(claim, weight=50.0) for claim in claims_of(17, begin=40 * HOUR, mark="late")]
    assert series_of([*small, *large]).current == 150
    assert series_of([*small, *large, *late]).current == 150
    more = [replace(claim, weight=50.0) for claim in claims_of(17, 17, 17, begin=40 * HOUR, mark="late")]
    assert series_of([*small, *large, *more]).current == 17


def test_vague_claims_say_of_what_order_a_number_is():
    hundreds = [
        Claim(200.0, 200.0, 999.0, 0.0, 60 * number, b"v%d" % number, 0, number) for number in range(2)
    ]
    said = [replace(claim, weight=2.0) for claim in claims_of(379, begin=HOUR)]
    assert series_of(said).current is None
    assert series_of([*hundreds, *said]).current == 379
    assert series_of(hundreds).current is None


def test_one_document_has_one_vote_for_a_value():
    series = series_of([example_claim(12, 0, "d0", weight) for weight in (1.0, 0.3, 2.0, 1.0)])
    assert [(claim.doc_id, claim.weight) for claim in series.claims] == [(b"d0", 2.0)]


def test_repeats_count_by_the_root_of_their_number():
    series = series_of([replace(claim, text=1) for claim in claims_of(12, 12, 12, 12, gap_s=0)])
    assert series.supports(series.weights(0))[12.0] == pytest.approx(2.0)


def test_claims_fade_by_half_in_the_half_life_and_no_faster_than_they_come():
    series = series_of(claims_of(12))
    assert series.weights(48 * HOUR)[0] == pytest.approx(0.5)
    rare = series_of(claims_of(12, 12, gap_s=1000 * HOUR))
    assert rare.weights(1000 * HOUR)[0] == pytest.approx(0.5)


def test_claims_of_less_are_out_of_date_once_more_is_corroborated():
    old = claims_of(10, 10, 10, gap_s=0)
    new = claims_of(30, 30, 30, gap_s=0, begin=HOUR, mark="new")
    series = series_of([*old, *new[:1]])
    assert series.weights(HOUR)[0] == pytest.approx(0.9857, abs=1e-3)
    series.add(new[1])
    assert series.weights(HOUR)[0] == pytest.approx(0.9857 / 2, abs=1e-3)
    series.add(example_claim(10, 2 * HOUR, "late"))
    assert series.weights(2 * HOUR)[-1] == pytest.approx(1.0)


def test_what_was_taken_back_counts_less():
    series = series_of(claims_of(80, 80, gap_s=0))
    series.add(replace(example_claim(78, 60, "later"), instead_of=80.0))
    assert series.weights(60)[:2] == [pytest.approx(0.3, abs=1e-3)] * 2
    series.add(example_claim(80, 120, "again"))
    assert series.weights(120)[-1] == pytest.approx(1.0)


def test_a_far_fall_is_held_back():
    """Many articles on one massacre are no correction of the war's toll."""
    war = claims_of(*[10_000] * 4)
    massacre = claims_of(*[108] * 8, begin=9 * HOUR, mark="m")
    assert series_of([*war, *massacre]).current == 10_000
    assert series_of([*war, *massacre], Rules(fall=0.0)).current == 108


def test_late_claims_decide_among_values_that_are_alike():
    series = series_of(claims_of(100, 100, 100, gap_s=0))
    late = claims_of(98, 98, begin=96 * HOUR, mark="late")
    assert series_of([*series.claims, *late]).current == 98
    assert series_of([*series.claims, *late], Rules(freshness=1.0, half_life_s=1e9)).current == 100


def test_what_is_disputed():
    series = series_of([*claims_of(56, 56, 56), *claims_of(70, begin=4 * HOUR, mark="other")])
    assert series.current == 56
    assert series.disputed(6 * HOUR) == (56, 70)
    for claim in claims_of(*[56] * 20, begin=100 * HOUR, mark="later"):
        series.add(claim)
    assert series.disputed(120 * HOUR) == ()
    assert series_of(claims_of(56, 56)).disputed(2 * HOUR) == ()
    far = series_of([*claims_of(11, 11, 11), *claims_of(20_000, begin=4 * HOUR, mark="other")])
    assert far.disputed(6 * HOUR) == ()


def test_at_least_so_many_are_no_other_number_than_more():
    series = Series(Rules())
    for time, value in enumerate((12, 14, 14)):
        series.add(
            replace(example_claim(value, time, f"d{time}"), qualifier="at least" if value == 12 else "")
        )
        series.settle(time)
    assert (series.current, series.disputed(3)) == (14, ())


def test_a_count_of_days_ago_that_has_risen_since_is_no_dispute():
    risen = series_of([*claims_of(140, 140), *claims_of(212, weight=3.0, begin=40 * HOUR, mark="later")])
    assert risen.current == 212
    assert risen.disputed(44 * HOUR) == ()
    soon = series_of([*claims_of(140, 140), *claims_of(212, weight=3.0, begin=4 * HOUR, mark="later")])
    assert soon.disputed(6 * HOUR) == (140, 212)


def test_remembers_no_more_than_its_limit():
    series = series_of(claims_of(*range(1, 400)), Rules(max_claims=16))
    assert len(series.claims) == 16
    assert len(series.state().corroborated) <= 16
    corrections = [replace(claim, instead_of=claim.value + 1) for claim in claims_of(*range(1, 400))]
    assert len(series_of(corrections, Rules(max_claims=16)).state().revoked) == 16


def test_goes_on_from_its_state():
    claims = claims_of(2, 2, 10, 10, 10, 80, 20, 20, 20, 35, 35, 35, 35)
    whole = series_of(claims)
    for cut in range(len(claims)):
        begun = series_of(claims[:cut])
        resumed = Series.of(Rules(), decode(encode(begun.state()), type=SeriesState))
        for claim in claims[cut:]:
            resumed.add(claim)
            resumed.settle(claim.time)
        assert encode(resumed.state()) == encode(whole.state())


@every("value", [0.0, 1.0, 8e9, 1e14])
def test_any_value_can_be_claimed(value):
    series = series_of(claims_of(value, value, value, value))
    assert series.current == value
    assert series.disputed(4 * HOUR) == ()


def test_a_document_that_corrects_itself_says_only_the_later_number():
    """24 in its first sentence, 22 instead in a later one, 24 again in its caption."""
    first, again = example_claim(24, 0, "d"), example_claim(24, 0, "d")
    corrected = replace(example_claim(22, 0, "d"), instead_of=24.0)
    series = series_of([first, corrected, again])
    assert [claim.value for claim in series.claims] == [22.0]
    assert series.current == 22
    assert [claim.value for claim in series_of([corrected, first]).claims] == [22.0]
    assert 24.0 in [claim.value for claim in series_of([corrected, example_claim(24, 1, "e")]).claims]


def test_a_value_that_is_taken_back_gives_way():
    series = series_of(claims_of(30, 30, 22, gap_s=0))
    assert series.current == 30
    series.revoke(30.0, HOUR)
    assert series.settle(HOUR)
    assert series.current == 22


def test_nobody_is_held_back_like_any_far_fall():
    """Three outlets can take a small count back; a massacre does not vanish because a town was spared."""
    nobody = claims_of(0, 0, 0, 0, begin=9 * HOUR, mark="none")
    assert series_of([*claims_of(2), *nobody]).current == 0
    assert series_of([*claims_of(*[10_000] * 4), *nobody]).current == 10_000


def test_those_who_had_claimed_the_current_value_are_no_witnesses_of_a_larger_one():
    before = claims_of(*[160] * 4)
    larger = [replace(one, weight=50.0) for one in claims_of(380, begin=5 * HOUR, mark="later")]
    for alike in (2.0, 3.0, 5.0):
        assert series_of([*before, *larger], Rules(alike=alike)).current == 160
