"""From claims to the current value: who claims what, how claims vote, fade, and must agree where they surprise.

A *claim* is one document's statement of one value. A value's support is the weight of the claims that name it, and half
the weight of those within a tenth of it; every claim fades with the half-life. The best supported value becomes the
current one, if it is *admitted*: values far from the current one need several documents with words of their own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from zlib import crc32

from msgspec import Struct

from tidings.analysis import Mention, Quantity
from tidings.core import Evidence, Sentence, data_beside

DOUBTS: dict[str, float] = data_beside(__file__)["doubts"]
"""What each doubt leaves of a vote."""

TOLL = 2.0
"""What a vote is worth that names its number as a total."""

ZERO = 0.5
"""What is left of a vote for nobody at all, which is said of every town that was spared."""

OFFICIAL = 1.2
"""What a vote is worth that someone answers for."""

NEAR = (0.1, 0.5, 1.0)
"""What a vote is worth near which none, one, or more of the event's words stand."""

PROJECTED = 0.3
"""What is left of a vote for a sum that is expected: of what a storm costs nothing else is known for weeks."""

STATED = 0.5
"""The weight of a claim from which an update that makes it speaks of the whole event."""

_LONGEST_KEPT = 1_000  # characters of a sentence
_MOST_STATED = 16  # figures remembered as stated, the latest
_SAME_ENDING_S = 48 * 3600  # within which "three were found alive" is said again
_LAG_S = 12 * 3600  # news goes on giving a number for hours after it was corrected


class Claim(Struct):
    """That one document says so many; texts are kept as bytes of UTF-8.

    `weight` is its vote, `text` a digest of the words around the number, `instead_of` the value that it corrects. A
    claim of weight 0 is vague ("hundreds"): it votes for nothing, but says of what order the number is. One that names
    a place which is none of the event's is `elsewhere`; `qualifier` is how sure it is of its number (`at least`), and
    `worked_out` says that no text gives the number: it is one more than before, as someone was found dead;
    `risen`, that it is a total that has changed.
    """

    value: float
    low: float
    high: float
    weight: float
    time: int
    doc_id: bytes
    sentence_index: int
    text: int
    instead_of: float | None = None
    source: bytes = b""
    sentence: bytes = b""
    title: bytes = b""
    url: bytes = b""
    elsewhere: bool = False
    qualifier: str = ""
    worked_out: bool = False
    risen: bool = False

    def evidence(self) -> Evidence:
        """The sentence that makes the claim."""
        doc_id, text, source, title, url = map(
            _unpack, (self.doc_id, self.sentence, self.source, self.title, self.url)
        )
        return Evidence(doc_id, self.sentence_index, text, self.time, source, title, url)


def weight_of(mention: Mention) -> float:
    """What a mention's vote is worth by its wording alone; 0: nothing.

    >>> from tidings.analysis.values.numbers import Quantity
    >>> nine = Quantity.exact(9.0)
    >>> weight_of(Mention("deaths", nine, toll=True, near=2)), weight_of(Mention("deaths", nine))
    (2.0, 0.1)
    """
    weight = 1.0
    for doubt in mention.doubts:
        projected = doubt == "modal" and mention.attribute == "financialimpact"
        weight *= PROJECTED if projected else DOUBTS[doubt]
    if mention.toll and "place" not in mention.doubts:  # the toll of a place is still a part
        weight *= TOLL
    if not mention.quantity.high:
        weight *= ZERO
    if mention.official:
        weight *= OFFICIAL
    return weight * NEAR[min(mention.near, 2)]


def claim_of(mention: Mention, sentence: Sentence) -> Claim | None:
    """The claim that a sentence makes by a mention; None where it has no vote and no order either."""
    weight = weight_of(mention)
    if weight <= 0 and mention.doubts != ("vague",):
        return None
    return Claim(
        mention.value,
        mention.quantity.low,
        mention.quantity.high,
        weight,
        sentence.published_time,
        _pack(sentence.doc_id),
        sentence.index,
        mention.key,
        mention.instead_of,
        _pack(sentence.source),
        _pack(sentence.text[:_LONGEST_KEPT]),
        _pack(sentence.title),
        _pack(sentence.url),
        "place" in mention.doubts,
        mention.quantity.qualifier,
        risen=mention.toll and mention.revised,
    )


def plain_claim(value: float, sentence: Sentence) -> Claim:
    """The claim that a sentence makes of a value by other words than its number."""
    said = Mention(
        "", Quantity.exact(value), official=True, near=2, key=crc32(sentence.text.encode("utf-8", "replace"))
    )
    claim = claim_of(said, sentence)
    assert claim is not None
    return claim


def _pack(text: str) -> bytes:
    # What strangers write may hold what is no text, and must be kept as it is.
    return text.encode("utf-8", "surrogatepass")


def _unpack(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def example_claim(value: float, time: int, doc_id: str, weight: float = 1.0) -> Claim:
    """A claim for examples: by a document and in words of its own.

    >>> example_claim(12, 60, "d1").value
    12.0
    """
    name, value = _pack(doc_id), float(value)
    return Claim(value, value, value, weight, time, name, 0, crc32(name + str(value).encode()), None, name)


class Rules(Struct, frozen=True, kw_only=True):
    """How claims become the current value; times in seconds of event time.

    `half_life_s` is the shortest: claims fade no faster than the last `span` of them came in. Values within
    `tolerance` of each other are alike, and lend each other `near` of their weight. `keep` favours the current value,
    `rise` a larger one, and a value below a half is held back by its share to the power of `fall`; `stay` and `step`
    favour among values that are alike, where late claims count more (`freshness` times the fading). Claims that were
    made before so many documents (`corroborated`) named a larger value keep `outdated` of their weight, those that
    were taken back since `revoked`. A value beyond `doubling` times the current one, or below its part, needs two
    documents, one beyond `tripling` times three; `start` stands for the current value while there is none. For a
    larger one every claim within `alike` times counts, vague ones too; where numbers are `placed`, for one beyond
    `tripling` times none that names another place. Nothing is said for less support than `least`.
    """

    half_life_s: float = 48 * 3600.0
    span: int = 20
    tolerance: float = 0.1
    near: float = 0.5
    keep: float = 1.3
    rise: float = 1.6
    fall: float = 0.5
    stay: float = 1.3
    step: float = 1.3
    freshness: float = 2.0
    revoked: float = 0.3
    outdated: float = 0.5
    corroborated: int = 2
    doubling: float = 2.0
    tripling: float = 3.0
    start: float = 30.0
    least: float = 0.9
    alike: float = 2.0
    max_claims: int = 128
    of_one: int = 32
    placed: bool = False


class SeriesState(Struct):
    """What a series remembers."""

    current: float | None
    since: int
    claims: list[Claim]
    corroborated: list[tuple[float, int]]
    revoked: list[tuple[float, int]]
    stated: list[tuple[float, int]] = []
    ended: list[tuple[float, int]] = []
    raised: bool = False
    first: int | None = None
    last: int = 0


class Series:
    """The claims of one attribute of one event, and its current value.

    >>> from tidings.following.values.series import example_claim
    >>> series = Series(Rules())
    >>> for number, value in enumerate([12, 13, 13]):
    ...     series.add(example_claim(value, 60 * number, f"d{number}"))
    >>> series.settle(180), series.current
    (True, 13.0)
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.claims: list[Claim] = []
        self.current: float | None = None
        self.since = 0
        """When the current value became so."""
        self._corroborated: dict[float, int] = {}
        """Value → when so many documents had named it, or one within a tenth of it, for the first time."""
        self._revoked: dict[float, int] = {}
        """Value → when someone last said that another holds instead of it."""
        self._stated: dict[float, int] = {}
        """Value → when an update last gave it that is not the current one."""
        self._ended: dict[float, int] = {}
        """How many were found (negative: dead) → when that was last said."""
        self.first: int | None = None
        """When the first claim of all was made, and the last."""
        self.last = 0
        self._raised = False
        """Whether an update made the current value so: it falls only by what was said since."""

    def add(self, claim: Claim) -> None:
        """Note a claim; one document has one vote for a value, its best."""
        self.first = claim.time if self.first is None else min(self.first, claim.time)
        self.last = max(self.last, claim.time)
        for place in range(len(self.claims) - 1, max(-1, len(self.claims) - 40), -1):
            other = self.claims[place]
            if other.doc_id == claim.doc_id and other.value == claim.value:
                if claim.instead_of is None:
                    claim.instead_of = other.instead_of
                elif other.instead_of is None:
                    other.instead_of = claim.instead_of
                    self.revoke(claim.instead_of, claim.time)
                if claim.weight <= other.weight:
                    return
                del self.claims[place]
                break
            if other.doc_id == claim.doc_id and other.instead_of == claim.value:
                return  # this very document has corrected it
        if claim.instead_of is not None:
            self.claims = [
                old for old in self.claims if old.doc_id != claim.doc_id or old.value != claim.instead_of
            ]
        if sum(other.doc_id == claim.doc_id for other in self.claims) >= self.rules.of_one:
            return  # a list of numbers: more of them would drive out what others say
        self.claims.append(claim)
        if len(self.claims) > self.rules.max_claims:
            self._drop(self.claims.pop(0))
        if claim.weight > 0:
            self._corroborate(claim)
            if claim.instead_of is not None:
                self.revoke(claim.instead_of, claim.time)

    def revoke(self, value: float, time: int) -> None:
        """Note that someone said at `time` that `value` does not hold: what was said of it before counts less."""
        self._revoked.pop(value, None)
        self._revoked[value] = time
        if len(self._revoked) > self.rules.max_claims:
            del self._revoked[next(iter(self._revoked))]

    def state_in_update(
        self, claim: Claim, time: int, *, revises: bool = False, raises: bool = True, whole: bool = False
    ) -> bool:
        """Take note at `time` that an emitted update makes this claim; True where anything changes.

        A larger value that is admitted, or small, becomes the current one at once, so that no figure stands beside an
        update that raises it. Any other that does not agree with the current one is `disputed` from then on; one below
        a half of it counts a part, but where it `revises`. Where nothing `raises`, larger ones are disputed too. The
        first one of all needs no others that say so where it is called a number of the `whole`.
        """
        current, room = self.current, self.rules.tolerance
        value, qualifier = claim.value, claim.qualifier
        is_small = value <= self.rules.doubling * self.rules.start
        if qualifier == "at most":
            return False
        if current is not None and claim.instead_of == current:
            self._set(value, time, raised=True)
            return True
        if current is None:
            if not (raises and (is_small or whole or self._is_admitted(value))):
                return False
            self._set(value, time, raised=True)
            return True
        if value == current:
            self._raised, self.since = True, time
            return False
        if qualifier == "about" and abs(value - current) <= room * current:
            return False
        if raises and value > current and (is_small or self._is_admitted(value)):
            self._stated = {
                other: when for other, when in self._stated.items() if other > value or when == time
            }
            self._set(value, time, raised=True)
            return True
        is_part = claim.high * self.rules.doubling < current and not revises
        if value < current and (qualifier == "at least" or is_part):
            return False
        self._stated[value] = time
        if len(self._stated) > _MOST_STATED:
            del self._stated[min(self._stated, key=lambda value: self._stated[value])]
        return True

    def end(self, count: float | None, left: float, claim: Claim, *, is_dead: bool = False) -> bool:
        """Take note that so many (None: all) of those whom this counts were found, and `left` are not; True where new.

        The same count within two days is the same news, but for what was found dead and what alive. What larger numbers
        say is taken back, for half a day from then on too: outlets lag.
        """
        current = self.current
        if current is None or left >= current:
            return False
        if count is not None:
            key = -count if is_dead else count
            known = self._ended.get(key)
            self._ended[key] = claim.time
            if known is not None and claim.time - known <= _SAME_ENDING_S:
                return False
        for value in {other.value for other in self.claims if other.value > left} | {current}:
            self.revoke(value, claim.time + _LAG_S)
        self.claims.append(claim)
        self._stated.clear()
        self._set(left, claim.time)
        return True

    def qualifier_of(self, value: float) -> str:
        """How sure those who claim exactly this value are of it: a qualifier that half of them give, else "".

        >>> claims = [example_claim(28, 60, "a"), example_claim(28, 90, "b")]
        >>> series = Series(Rules())
        >>> from msgspec.structs import replace
        >>> series.add(replace(claims[0], qualifier="at least"))
        >>> series.add(claims[1])
        >>> series.qualifier_of(28.0)
        'at least'
        """
        exact = [claim.qualifier for claim in self.claims if claim.weight > 0 and claim.value == value]
        for qualifier in ("at least", "at most", "about"):
            if exact and 2 * exact.count(qualifier) >= len(exact):
                return qualifier
        return ""

    def confirm(self, value: float) -> bool:
        """Take a bare count of `value` for the whole: what was only worked out is no longer "at least"."""
        worked_out = [claim for claim in self.claims if claim.value == value and claim.worked_out]
        for claim in worked_out:
            claim.qualifier, claim.worked_out = "", False
        return bool(worked_out)

    def _drop(self, claim: Claim) -> None:
        if all(other.value != claim.value for other in self.claims):
            self._corroborated.pop(claim.value, None)

    def _corroborate(self, claim: Claim) -> None:
        rules = self.rules
        for value in {other.value for other in self.claims if other.weight > 0}:
            if value in self._corroborated or abs(claim.value - value) > rules.tolerance * max(value, 1.0):
                continue
            if self._documents(value) >= rules.corroborated:
                self._corroborated[value] = claim.time

    def _documents(self, value: float) -> int:
        claims = self.supporters(value)
        return min(
            len({claim.doc_id for claim in claims}), len({claim.source or claim.text for claim in claims})
        )

    def settle(self, now: int) -> bool:
        """Choose the current value at `now`; True where it is another than before."""
        best = self._best(now)
        if best is None or best == self.current or not self._may_fall_to(best):
            return False
        self._set(best, now)
        return True

    def _set(self, value: float, time: int, *, raised: bool = False) -> None:
        self.current, self.since, self._raised = value, time, raised
        self._stated.pop(value, None)

    def _may_rise_to(self, value: float) -> bool:
        """Whether someone claims a value above the current one, and not only that it is at most so many."""
        exact = [claim.qualifier for claim in self.claims if claim.weight > 0 and claim.value == value]
        return self.current is None or value < self.current or set(exact) != {"at most"}

    def _may_fall_to(self, value: float) -> bool:
        """Whether a value that an update gave may become this smaller one: two witnesses since, or a correction."""
        if not self._raised or self.current is None or value > self.current:
            return True
        since = [claim for claim in self.supporters(value) if claim.time > self.since]
        return any(claim.instead_of == self.current for claim in since) or _witnesses(since) >= 2

    def _best(self, now: int) -> float | None:
        rules, current = self.rules, self.current
        weights = self.weights(now)
        support = self.supports(weights)
        best, best_score = current, 0.0
        scored = sorted(
            ((score * self._favour(value), -value) for value, score in support.items()), reverse=True
        )
        for favoured, negative in scored:  # of equal ones the smallest
            value = -negative
            if favoured > 0.0 and (
                value == current
                or (self._may_rise_to(value) and self._may_fall_to(value) and self._is_admitted(value))
            ):
                best, best_score = value, favoured
                break
        if best is None or (current is None and best_score < rules.least):
            return None
        return self._refine(best, now, weights)

    def _favour(self, value: float) -> float:
        """By how much the support of a value counts: the current one stays, tolls rise and seldom fall far."""
        rules, current = self.rules, self.current
        if current is None:
            return 1.0
        if value == current:
            return rules.keep
        if value > current:
            return rules.rise
        part = max(value, 1.0) / current if current > 1.0 else 1.0
        return part**rules.fall if part * rules.doubling < 1.0 else 1.0

    def _refine(self, best: float, now: int, weights: Sequence[float]) -> float:
        """Of the values within a tenth of the best one, that which is named most and latest."""
        rules, current = self.rules, self.current
        half_life = self._half_life(now)
        own: dict[float, float] = {}
        for claim, weight in zip(self.claims, weights, strict=True):
            if weight > 0 and self._is_near(claim.value, best):
                fresh = 0.5 ** ((rules.freshness - 1.0) * (now - claim.time) / half_life)
                own[claim.value] = own.get(claim.value, 0.0) + weight * fresh
        chosen, chosen_score = best, 0.0
        for value, score in sorted(own.items()):
            favour = rules.stay if value == current else rules.step if value > (current or 0.0) else 1.0
            if score * favour > chosen_score:
                chosen, chosen_score = value, score * favour
        return chosen

    def _is_near(self, one: float, value: float) -> bool:
        return abs(one - value) <= self.rules.tolerance * max(value, 1.0)

    def _half_life(self, now: int) -> float:
        return max(self.rules.half_life_s, float(now - self.claims[-self.rules.span :][0].time))

    def supports(self, weights: Sequence[float]) -> dict[float, float]:
        """Each value that was claimed, in order, with its support by claims of these weights."""
        rules = self.rules
        own: dict[float, float] = {}
        ranges: list[tuple[float, float, float]] = []
        for claim, weight in zip(self.claims, weights, strict=True):
            if weight > 0:
                own[claim.value] = own.get(claim.value, 0.0) + weight
                if claim.low < claim.high:
                    ranges.append((claim.low, claim.high, weight))
        support = {}
        values = sorted(own)
        for value in values:
            room = rules.tolerance * max(value, 1.0)
            close = values[bisect_left(values, value - room) : bisect_right(values, value + room)]
            beside = sum(own[other] for other in close if other != value)
            beside += sum(weight for low, high, weight in ranges if low + room < value <= high)
            support[value] = own[value] + rules.near * beside
        return support

    def weights(self, now: int) -> list[float]:
        """What each claim is worth at `now`: its wording, faded, less where a text repeats or it is out of date."""
        rules, claims = self.rules, self.claims
        if not claims:
            return []
        half_life = self._half_life(now)
        repeats: dict[int, int] = {}
        for claim in claims:
            repeats[claim.text] = repeats.get(claim.text, 0) + 1
        times, limits = self._find_outdated()
        weights = []
        for claim in claims:
            weight = claim.weight * 0.5 ** ((now - claim.time) / half_life) / repeats[claim.text] ** 0.5
            value, time = claim.value, claim.time
            if weight and value < limits[bisect_right(times, time)]:
                weight *= rules.outdated
            if weight and self._revoked.get(value, time) > time:
                weight *= rules.revoked
            weights.append(weight)
        return weights

    def _find_outdated(self) -> tuple[list[int], list[float]]:
        """When values were corroborated, in order, and below which a claim of before is out of date.

        limits[i] holds for claims that came before times[i] and not before times[i - 1]; the last is for all others.
        """
        corroborated = sorted(
            (time, value / (1.0 + self.rules.tolerance)) for value, time in self._corroborated.items()
        )
        limits = [-1.0]
        for _, limit in reversed(corroborated):
            limits.append(max(limits[-1], limit))
        return [time for time, _ in corroborated], limits[::-1]

    def disputed(self, now: int) -> tuple[float, ...]:
        """From which to which value is claimed at `now`, () where all agree with the current one.

        Of claims that have not faded to a half, and are neither out of date nor taken back nor of another order.
        """
        current = self.current
        if current is None:
            return ()
        times, limits = self._find_outdated()
        half_life = self._half_life(now) if self.claims else self.rules.half_life_s
        values = {
            claim.value
            for claim in self.claims
            if claim.weight >= 0.5
            and now - claim.time <= half_life
            and current / self.rules.doubling <= claim.value <= current * self.rules.doubling
            and self._revoked.get(claim.value, claim.time) <= claim.time
            and claim.value >= limits[bisect_right(times, claim.time)]
            and not self._is_older_state(claim, current, now)
        } | {current}
        values |= {value for value, time in self._stated.items() if now - time <= half_life}
        return (min(values), max(values)) if len(values) > 1 else ()

    def _is_older_state(self, claim: Claim, current: float, now: int) -> bool:
        """Whether a claim was true of before: the figure has risen since, or fallen as missing people were found."""
        if claim.value > current:
            return self.rules.fall == 0.0 and claim.time < self.since
        if claim.value == current or claim.qualifier == "at least":
            return claim.value < current
        return claim.time <= self.since and (self._raised or now - claim.time > _LAG_S)

    def _is_admitted(self, value: float) -> bool:
        rules, current = self.rules, self.current
        base = max(current if current is not None else rules.start, 1.0)
        ratio = value / base if current is None or value >= base else base / max(value, 1e-9)
        need = 3 if ratio > rules.tripling else 2 if ratio > rules.doubling else 1
        need -= need > 1 and any(claim.risen and claim.value == value for claim in self.claims)
        if need == 1:
            return True
        if current is not None and value < current:
            return _witnesses([claim for claim in self.supporters(value) if claim.time > self.since]) >= need
        low, high = max(value / rules.alike, (value * base) ** 0.5), value * rules.alike
        near = [claim for claim in self.claims if claim.high >= low and claim.low <= high]
        if (
            rules.placed and current is not None and ratio > rules.tripling
        ):  # what happened at another place does not make a number of this event larger
            near = [claim for claim in near if not claim.elsewhere]
        return _witnesses(near) >= need

    def supporters(self, value: float) -> list[Claim]:
        """The claims within a tenth of `value`, in the order in which they came."""
        room = self.rules.tolerance * max(value, 1.0)
        return [claim for claim in self.claims if claim.weight > 0 and abs(claim.value - value) <= room]

    def state(self) -> SeriesState:
        """What is remembered."""
        return SeriesState(
            self.current,
            self.since,
            self.claims,
            list(self._corroborated.items()),
            list(self._revoked.items()),
            list(self._stated.items()),
            list(self._ended.items()),
            self._raised,
            self.first,
            self.last,
        )

    @classmethod
    def of(cls, rules: Rules, state: SeriesState) -> Series:
        """The series whose `state` this was."""
        series = cls(rules)
        series.current, series.since, series.claims = state.current, state.since, state.claims
        series._corroborated, series._revoked = dict(state.corroborated), dict(state.revoked)
        series._stated, series._ended = dict(state.stated), dict(state.ended)
        series._raised, series.first, series.last = state.raised, state.first, state.last
        return series


def _witnesses(claims: Sequence[Claim]) -> int:
    """How many documents with words of their own there are among the claims."""
    return min(len({claim.doc_id for claim in claims}), len({claim.text for claim in claims}))
