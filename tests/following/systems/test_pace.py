"""A pace: how it is written, and that the gate holds it whatever the stream looks like."""

from __future__ import annotations

import random
from bisect import bisect_right
from itertools import pairwise

import pytest

from tests.following.systems.streams import FERRY, follow, stream
from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.records import Event, Sentence
from tidings.following.systems.assembly import assemble
from tidings.following.systems.decider import DecidingFollower, as_decider
from tidings.following.systems.pace.gate import BLOCK, LATEST, PaceGate, QuietWatch, RecentScores
from tidings.following.systems.pace.schedules import Pace, RateSchedule, TotalSchedule
from tidings.following.systems.pace.stage import PaceFollower
from tidings.following.systems.registry import make

DAY_S = 86_400
STREAMS = {
    "even": lambda rng, n: [rng.random() for _ in range(n)],
    "breaks and fades": lambda rng, n: [rng.random() ** 3 for _ in range(n)],
    "grows": lambda rng, n: [rng.random() ** 0.4 for _ in range(n)],
    "late burst": lambda rng, n: [
        rng.uniform(0.85, 0.9) if rng.random() < 0.5 else rng.random() for _ in range(n)
    ],
}


def moments(name: str, documents: int, length_s: int, seed: int = 0) -> list[int]:
    """When documents are published; the first at 0, the last at the end."""
    places = sorted(STREAMS[name](random.Random(seed), documents - 2))
    return [0, *(int(place * length_s) for place in places), length_s]


def told_at(
    gate: PaceGate, times: list[int], *, falling: float = 0.0, seed: int = 0, most: int = 8
) -> list[int]:
    """The times of what the gate admits of documents with one to `most` candidates of random scores."""
    rng = random.Random(seed)
    emitted = []
    for number, now in enumerate(times):
        gate.open(now)
        for _ in range(rng.randint(1, most)):
            if gate.admits(rng.random() - falling * number, f"d{number}"):
                gate.count_update()
                emitted.append(now)
    return emitted


class TestPace:
    @every(
        "about, written, count, unit_s",
        [
            ("10/day", "10/day", 10, DAY_S),
            (" 10 / d ", "10/day", 10, DAY_S),
            ("10 a day", "10/day", 10, DAY_S),
            ("2 per hour", "2/hour", 2, 3600),
            ("2/H", "2/hour", 2, 3600),
            ("1 an hour", "1/hour", 1, 3600),
            ("0.5/day", "0.5/day", 0.5, DAY_S),
            ("30", "30", 30, 0),
            ("1000000", "1000000", 1_000_000, 0),
        ],
    )
    def test_is_read_and_written(self, about: str, written: str, count: float, unit_s: int) -> None:
        pace = Pace(about=about)
        assert (pace.about, pace.count, pace.unit_s) == (written, count, unit_s)
        assert pace.is_total is (unit_s == 0)
        assert Pace(about=pace.about) == pace
        assert make(f"first:about={about}").spec == f"first:about={written}"

    def test_nothing_is_no_pace(self) -> None:
        assert (Pace().count, Pace().unit_s, Pace().is_total) == (0, 0, False)
        assert make("first:about=") == make("first")

    @every(
        "about",
        cases(__file__, "anything else is refused"),
    )
    def test_anything_else_is_refused(self, about: str) -> None:
        with pytest.raises(UsageError, match=r"a pace of .* \(expected such as (10|up to 10)/day"):
            Pace(about=about)

    def test_two_paces_are_refused(self) -> None:
        at_ten = make("first:about=10/day,updates_per_hour=3")
        assert assemble(at_ten, about="10 a day").spec == assemble(at_ten).spec == at_ten.spec
        with pytest.raises(UsageError, match="one of the two"):
            assemble(at_ten, about="11/day")


class TestPeriod:
    OPEN = Event(id="e", title="Fire", query="fire")

    def test_a_pace_in_all_needs_one(self) -> None:
        system = make("first:about=30")
        with pytest.raises(UsageError, match="'e', whose period is not known"):
            system.start(self.OPEN)
        with pytest.raises(UsageError, match="whose end is not known"):
            system.start(Event(id="e", title="Fire", query="fire", start_time=5))
        with pytest.raises(UsageError, match="whose beginning is not known"):
            as_decider(system).within(None, 5).start(self.OPEN)
        assert make("first:about=30/day").start(self.OPEN)

    def test_is_what_event_and_stream_share(self) -> None:
        system = as_decider(make("first:about=30")).within(100, 900)
        pace = system.pace
        assert pace is not None and pace.period_of(self.OPEN, system.period) == (100, 900)
        until = Event(id="e", title="", query="fire", start_time=0, end_time=500)
        assert pace.period_of(until, system.period) == (100, 500)
        assert pace.period_of(Event(id="e", title="", query="fire", start_time=200), system.period) == (
            200,
            900,
        )

    def test_stands_in_no_spec_and_reaches_through_budgets(self) -> None:
        system = as_decider(make("first:about=30,updates_per_hour=3")).within(100, 900)
        assert system.spec == "first:about=30,updates_per_hour=3"
        assert system.start(self.OPEN)
        rate = make("first:about=30/day")
        assert as_decider(rate).within(100, 900) == rate


class TestRecentScores:
    def test_a_share_of_the_latest(self) -> None:
        rng = random.Random(0)
        scores, kept = RecentScores(), []
        for _ in range(2 * LATEST):
            score = rng.random()
            if len(kept) > LATEST:
                window = sorted(kept[-LATEST:])
                above = (len(window) - bisect_right(window, score) + 0.5) / (len(window) + 1)
                assert scores.is_among_best(score, 0.2) == (above < 0.2)
            scores.add(score)
            kept.append(score)

    @every("share", [0.01, 0.001, 0.0002])
    def test_small_shares_too(self, share: float) -> None:
        rng = random.Random(1)
        scores = RecentScores()
        count, passed, size = 0, 0, 40_000
        for number in range(size):
            score = rng.random()
            if number > size // 3:
                count += 1
                passed += scores.is_among_best(score, share)
            scores.add(score)
        assert 0.4 * share < passed / count < 2.5 * share

    def test_bounds(self) -> None:
        scores = RecentScores()
        assert not scores.is_among_best(1.0, 0.0)
        assert not scores.is_among_best(1.0, -1.0)
        assert scores.is_among_best(1.0, 1.0)
        assert not scores.is_among_best(1.0, 0.4), "the first of all is not known to be good"
        for number in range(20_000):
            scores.add(float(number % 977))
        assert all(len(latest) <= LATEST for latest, _, _ in scores.state())

    def test_goes_on_from_any_place(self) -> None:
        rng = random.Random(2)
        whole, copies = RecentScores(), []
        for number in range(3 * BLOCK * BLOCK):
            whole.add(rng.random())
            if number % 811 == 0:
                again = RecentScores()
                again.restore(whole.state())
                copies.append(again)
                assert again.state() == whole.state()
            if len(copies) > 3:
                copies.pop(0)
        one, other = copies[-1], RecentScores()
        other.restore(one.state())
        for score in (0.3, 0.999, 0.9999, 0.5):
            assert one.is_among_best(score, 0.001) == other.is_among_best(score, 0.001)
            one.add(score)
            other.add(score)
        assert one.state() == other.state()


class TestSchedules:
    @pytest.mark.parametrize("name", STREAMS)
    @pytest.mark.parametrize("length_s", [36_000, 60 * DAY_S, 5 * 365 * DAY_S])
    def test_what_is_due_in_all_comes_to_the_count(self, name: str, length_s: int) -> None:
        schedule, before = TotalSchedule(40, 0, length_s), 0.0
        for now in moments(name, 200, length_s):
            schedule.add_document(now, 1.0)
            assert before < schedule.due <= 40.000001
            assert schedule.step == pytest.approx(schedule.due - before)
            before = schedule.due
        assert schedule.due == pytest.approx(40, rel=0.02)

    def test_a_story_that_went_on_growing_leaves_more_for_later(self) -> None:
        dues = {}
        for name in ("breaks and fades", "grows"):
            schedule = TotalSchedule(100, 0, 100 * DAY_S)
            for now in moments(name, 400, 100 * DAY_S):
                if now > 50 * DAY_S:
                    break
                schedule.add_document(now, 1.0)
            dues[name] = schedule.due
        assert dues["breaks and fades"] > dues["grows"] + 10

    def test_so_many_are_due_a_day_with_news(self) -> None:
        schedule, rng = RateSchedule(10, DAY_S, None, None), random.Random(0)
        days = sorted(rng.sample(range(400), 80))
        for day in days:
            before = schedule.due
            for _ in range(rng.randint(1, 12)):
                schedule.add_document(day * DAY_S, 1.0)
            assert schedule.due - before <= 20.0001 + 10
        assert schedule.due / len(days) == pytest.approx(10, rel=0.1)

    @every(
        "documents",
        [
            [30] * 5 + [2] * 10,
            [100] + [3] * 20,
            [1 + 3 * day for day in range(20)],
            [2] * 10 + [60] * 3 + [2] * 10,
        ],
    )
    def test_however_news_rises_and_falls(self, documents: list[int]) -> None:
        schedule = RateSchedule(10, DAY_S, None, None)
        for day, count in enumerate(documents):
            for _ in range(count):
                schedule.add_document(day * DAY_S, 1.0)
        assert schedule.due / len(documents) == pytest.approx(10, rel=0.12)

    def test_a_busy_day_calls_for_more(self) -> None:
        schedule = RateSchedule(10, DAY_S, None, None)
        dues = []
        for day in range(40):
            for _ in range(9 if day % 4 == 3 else 3):
                schedule.add_document(day * DAY_S, 1.0)
            dues.append(schedule.due)
        steps = [later - earlier for earlier, later in pairwise(dues)]
        busy = [step for day, step in enumerate(steps, 1) if day % 4 == 3][3:]
        quiet = [step for day, step in enumerate(steps, 1) if day % 4 != 3][9:]
        assert min(busy) > max(quiet)

    def test_a_day_cut_short_by_the_event_is_filled(self) -> None:
        dues = []
        for end in (None, 6 * 3600):
            schedule = RateSchedule(10, DAY_S, 0, end)
            for minute in range(0, 360, 10):
                schedule.add_document(60 * minute, 1.0)
            dues.append(schedule.due)
        assert dues[1] > 9.5 > dues[0] > 5


class TestQuietWatch:
    def test_a_busy_day_after_a_silent_one_calls(self) -> None:
        watch = QuietWatch(DAY_S)
        for day in range(40):
            watch.add_document(day * DAY_S)
            watch.note_update()
        watch.add_document(40 * DAY_S)
        assert not watch.calls_for_best
        for _ in range(3):
            watch.add_document(41 * DAY_S)
        assert watch.calls_for_best
        assert not watch.is_overdue

    def test_days_without_news_do_not_count(self) -> None:
        watch = QuietWatch(DAY_S)
        for day in (0, 1, 2):
            watch.add_document(day * DAY_S)
            watch.note_update()
        watch.add_document(900 * DAY_S)
        assert not watch.calls_for_best
        for day in range(901, 905):
            watch.add_document(day * DAY_S)
        assert watch.calls_for_best
        assert watch.is_overdue


class TestGate:
    @pytest.mark.parametrize("name", STREAMS)
    @pytest.mark.parametrize(
        ("documents", "length_s"), [(150, 200 * DAY_S), (2_000, 36_000), (1_500, 5 * 365 * DAY_S)]
    )
    @pytest.mark.parametrize("count", [30, 100])
    def test_in_all(self, name: str, documents: int, length_s: int, count: int) -> None:
        times = moments(name, documents, length_s)
        emitted = told_at(PaceGate(Pace(about=str(count)), 0, length_s), times)
        assert 0.9 * count <= len(emitted) <= 1.1 * count

    def test_in_all_where_scores_keep_falling(self) -> None:
        times = moments("even", 600, 100 * DAY_S)
        emitted = told_at(PaceGate(Pace(about="50"), 0, times[-1]), times, falling=0.003)
        assert 45 <= len(emitted) <= 55

    def test_in_all_where_all_scores_are_equal(self) -> None:
        times, gate, emitted = (
            moments("even", 600, 100 * DAY_S),
            PaceGate(Pace(about="50"), 0, 100 * DAY_S),
            0,
        )
        for number, now in enumerate(times):
            gate.open(now)
            for _ in range(8):
                if gate.admits(1.0, f"d{number}"):
                    gate.count_update()
                    emitted += 1
        assert 45 <= emitted <= 55

    @pytest.mark.parametrize("name", STREAMS)
    @pytest.mark.parametrize("rate", [2, 5, 20])
    def test_a_day_and_never_twice_as_much(self, name: str, rate: int) -> None:
        times = moments(name, 3_000, 60 * DAY_S)
        emitted = told_at(PaceGate(Pace(about=f"{rate}/day"), None, None), times)
        days = len({time // DAY_S for time in times})
        assert 0.75 * rate * days <= len(emitted) <= 1.25 * rate * days
        first = 0
        for number, time in enumerate(emitted):
            while emitted[first] <= time - DAY_S:
                first += 1
            assert number - first + 1 <= 2 * rate

    def test_an_hour(self) -> None:
        times = moments("even", 4_000, 3 * DAY_S)
        emitted = told_at(PaceGate(Pace(about="3/hour"), None, None), times)
        assert 0.75 * 3 <= len(emitted) / 72 <= 1.25 * 3

    @every("name", STREAMS)
    def test_no_long_silence(self, name: str) -> None:
        times = moments(name, 300, 150 * DAY_S)
        turns = sorted({time // DAY_S for time in times})
        place = {turn: number for number, turn in enumerate(turns)}
        spoken = sorted(
            {place[time // DAY_S] for time in told_at(PaceGate(Pace(about="30"), 0, times[-1]), times)}
        )
        assert max(b - a - 1 for a, b in pairwise([-1, *spoken, len(turns)])) <= 0.2 * len(turns)

    def test_the_first_is_told_soon(self) -> None:
        gate = PaceGate(Pace(about="2/day"), None, None)
        emitted = told_at(gate, [60 + 5 * number for number in range(60)])
        assert emitted
        assert emitted[0] <= 120

    def test_the_best_are_told(self) -> None:
        rng, gate = random.Random(3), PaceGate(Pace(about="20/day"), None, None)
        admitted, scores = [], []
        for number in range(3_000):
            gate.open(number * 600)
            for _ in range(5):
                score = rng.random()
                scores.append(score)
                if gate.admits(score, f"d{number}"):
                    gate.count_update()
                    admitted.append(score)
        assert sum(admitted) / len(admitted) > 0.93

    def test_higher_ranks_come_last_and_only_when_needed(self) -> None:
        gate, rng = PaceGate(Pace(about="4/day"), None, None), random.Random(0)
        emitted, asked = {0: 0, 1: 0}, 0
        for number in range(300):
            gate.open(number * DAY_S)
            for rank in (0, 0, 1, 1, 1, 1):
                if rank:
                    asked += gate.wants(rank, f"d{number}")
                if (not rank or gate.wants(rank, f"d{number}")) and gate.admits(
                    rng.random() + 5 * rank, f"d{number}", rank
                ):
                    gate.count_update()
                    emitted[rank] += 1
        assert asked
        assert emitted[0] > 540, "nearly all of the 600 of the first rank"
        assert 3 <= sum(emitted.values()) / 300 <= 5
        calm = PaceGate(Pace(about="1/day"), None, None)
        for number in range(100):
            calm.open(number * DAY_S)
            for _ in range(9):
                if calm.admits(rng.random(), f"d{number}"):
                    calm.count_update()
            assert not calm.wants(1, f"d{number}")

    def test_time_alone_changes_nothing(self) -> None:
        gate = PaceGate(Pace(about="3/day"), None, None)
        told_at(gate, [0, 10, 20])
        before = gate.state()
        gate.open(10**9)
        assert gate.state() == before

    @every("about", ["3/hour", "40"])
    def test_memory_is_bounded(self, about: str) -> None:
        gate = PaceGate(Pace(about=about), 0, 4_000 * 600)
        told_at(gate, [600 * number for number in range(4_000)], most=4)
        size = len(gate.state())
        assert size < 60_000


def gate_of(follower: DecidingFollower) -> PaceGate:
    return next(own.gate for _, own in follower._stages if isinstance(own, PaceFollower))


@pytest.mark.parametrize("name", ["tidings", "cosine", "centroid", "lexrank"])
class TestFollowers:
    def test_in_all_resumes_at_every_cut(self, name: str) -> None:
        pushes = list(stream(5, 40))
        system = as_decider(make(f"{name}:about=12")).within(pushes[0][1], pushes[-1][1])
        whole = system.start(FERRY)
        emitted = [whole.push(*push) for push in pushes]
        assert any(emitted)
        assert gate_of(whole)._emitted == sum(map(len, emitted)), "each update passes the gate once"
        for cut in (1, 13, 27, 38):
            begun, resumed = system.start(FERRY), system.start(FERRY)
            for push in pushes[:cut]:
                begun.push(*push)
            resumed.restore(begun.state())
            assert [resumed.push(*push) for push in pushes[cut:]] == emitted[cut:]
            assert resumed.state() == whole.state()

    def test_nothing_hangs_on_what_is_to_come(self, name: str) -> None:
        one, other = list(stream(6, 30)), list(stream(7, 30))
        later = [
            ([Sentence(s.doc_id, s.index, s.text, now + 10**6, s.source) for s in sentences], now + 10**6)
            for sentences, now in other
        ]
        system = make(f"{name}:about=30/day")
        alone = follow(system.start(FERRY), one)
        assert follow(system.start(FERRY), [*one, *later])[: len(alone)] == alone


@every("name", ["tidings", "tidings:articles=none", "cosine", "centroid"])
def test_what_repeats_an_update_is_told_at_no_pace(name: str) -> None:
    text = "The ferry fire in the port has killed twelve people, police said on Monday."
    others = "The harbour master of the port closed {} piers after the ferry fire."
    follower = make(f"{name}{',' if ':' in name else ':'}about=1000/day").start(FERRY)
    assert "gate" in follower.core.heeds
    texts = []
    for number in range(60):
        said = text if number % 2 else others.format(("two", "three", "nine", "sixty")[number // 2 % 4])
        if number % 2:
            said = said.replace("on Monday", ("on Monday", "on Monday evening", "late on Monday")[number % 3])
        sentence = Sentence(f"d{number}", 0, said, 60 * number)
        texts += [update.text for update in follower.push([sentence], 60 * number)]
    assert texts
    assert sum("twelve people" in said for said in texts) <= 2


def test_centroid_takes_off_what_is_like_an_update() -> None:
    """What goes over its limit of likeness lowers a score, instead of keeping the sentence out."""
    follower = make("centroid:about=1000/day,position_weight=0").start(FERRY)
    gate = gate_of(follower)
    scores: list[float] = []
    admits = gate.admits

    def noting(score: float, doc_id: str, rank: int = 0) -> bool:
        scores.append(score)
        return admits(score, doc_id, rank)

    gate.admits = noting
    texts = ("ferry fire port crew", "ferry fire port crew safe", "ferry fire port crew safe now home")
    for number, text in enumerate(texts):
        follower.push([Sentence(f"d{number}", 0, text, number)], number)
    assert max(scores[1:]) < 0.3, "near the centroid (.44 and more), but like what was told"


def test_what_one_document_says_around_its_match_serves_a_high_pace() -> None:
    """Sentences near a match are told where matches do not suffice, those of other documents never."""
    rng = random.Random(0)
    names = [f"word{number}" for number in range(500)]
    emitted = {}
    for about in ("0.3/day", "40/day"):
        follower = make(f"cosine:about={about}").start(FERRY)
        texts = []
        for day in range(30):
            lines = ["A ferry caught fire " + " ".join(rng.choices(names, k=6))]
            lines += [" ".join(rng.choices(names, k=9)) for _ in range(9)]
            news = [Sentence(f"a{day}", index, line, day * DAY_S) for index, line in enumerate(lines)]
            other = [
                Sentence(f"b{day}", index, "other " + line, day * DAY_S)
                for index, line in enumerate(lines[1:])
            ]
            texts += [update.text for update in follower.push([*news, *other], day * DAY_S)]
        emitted[about] = texts
    assert all("ferry" in text for text in emitted["0.3/day"])
    assert sum("ferry" not in text for text in emitted["40/day"]) > 100
    assert not any("other" in text for text in emitted["40/day"])


def test_what_matches_as_a_whole_lends_itself_to_no_other_sentence() -> None:
    rng = random.Random(0)
    names = [f"word{number}" for number in range(500)]
    follower = make("cosine:about=40/day").start(FERRY)
    texts = []
    for day in range(60):
        lines = [" ".join([start, *rng.choices(names, k=7)]) for start in ("ferry", "fire", "nothing")]
        news = [Sentence(f"a{day}", index, line, day * DAY_S) for index, line in enumerate(lines)]
        texts += [update.text for update in follower.push(news, day * DAY_S)]
    assert sum("ferry" in text for text in texts) > 10
    assert not any("nothing" in text for text in texts)


class TestTidingsDoesNotTire:
    """What was emitted counts less in stories of months, and as ever in events such as those learned from."""

    def emitted_after(self, system: str, days: float, count: int = 30) -> float:
        features = make(system).start(FERRY)
        features = getattr(features, "core", features)._features
        features.pass_time(0)
        candidate = next(
            candidate
            for document in features.documents(
                [Sentence("d", 0, "The ferry fire in the port is out.", 0, events=("E1",))]
            )
            for _, candidate in features.candidates(document)
        )
        for _ in range(count):
            features.emit(candidate)
        features.pass_time(round(days * DAY_S))
        return float(features._emitted_now)

    def test_all_count_for_four_weeks(self) -> None:
        assert self.emitted_after("tidings", 0) == self.emitted_after("tidings", 28) == 30

    def test_then_half_after_16_days(self) -> None:
        assert self.emitted_after("tidings", 28 + 16) == pytest.approx(15)
        assert self.emitted_after("tidings", 28 + 48) == pytest.approx(30 / 8)
        assert self.emitted_after("tidings", 10**6) == pytest.approx(0)

    def test_at_a_pace_no_more_than_20_count(self) -> None:
        assert self.emitted_after("tidings:about=10/day", 1) == 20
        assert self.emitted_after("tidings:about=10/day", 1, count=7) == 7
