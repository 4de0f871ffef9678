"""How far judges agree: on labels (Cohen's and Fleiss' κ, Krippendorff's α), on clusters (ARI, AMI), on spans.

Each is 1 for judges who agree wholly and about 0 for judges who agree no more often than by chance (spans: for none in
common). Where nothing could have been otherwise, because all judges gave everything one label, it is nan. All are
computed here, as SciPy and scikit-learn, which have some of them, are extras.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from math import comb, exp, hypot, isclose, isnan, lgamma, log, nan, sqrt
from typing import Literal

from msgspec import Struct


class Line(Struct, frozen=True):
    """y = intercept + slope · x, and the share of the variance of y that it explains, R² = r² (0 to 1)."""

    slope: float
    intercept: float
    r2: float

    def at(self, x: float) -> float:
        """The line's y.

        >>> Line(2.0, 1.0, 1.0).at(3)
        7.0
        """
        return self.intercept + self.slope * x


def mean_of_defined(values: Iterable[float]) -> float:
    """The mean of those that are numbers; nan where none is.

    >>> mean_of_defined([0.5, nan, 1.0]), mean_of_defined([nan])
    (0.75, nan)
    """
    defined = [value for value in values if not isnan(value)]
    return sum(defined) / len(defined) if defined else nan


def sign(value: float) -> int:
    """−1, 0 or 1; differences that only rounding made (below 1e-12) are none.

    >>> sign(-3), sign(0.1 + 0.2 - 0.3), sign(0.25)
    (-1, 0, 1)
    """
    return 0 if isclose(value, 0.0, abs_tol=1e-12) else 1 if value > 0 else -1


def kendall_tau_b(one: Sequence[float], other: Sequence[float]) -> float:
    """τ_b = (concordant − discordant) / sqrt((pairs − tied in one) (pairs − tied in the other)), over pairs of items.

    Args:
        one: a figure for each item.
        other: another figure for each, in the same order.

    Returns:
        From −1 to 1.

    Raises:
        ValueError: not as many figures.

    >>> kendall_tau_b([1, 2, 3], [1, 2, 3]), round(kendall_tau_b([1, 2, 3], [1, 3, 3]), 4)
    (1.0, 0.8165)
    """
    _same_length(one, other)
    agreed = varied = otherwise_varied = 0
    for (a, b), (c, d) in combinations(zip(one, other, strict=True), 2):
        first, second = sign(a - c), sign(b - d)
        agreed += first * second
        varied += first != 0
        otherwise_varied += second != 0
    return agreed / sqrt(varied * otherwise_varied) if varied and otherwise_varied else nan


def pearson_r(one: Sequence[float], other: Sequence[float]) -> float:
    """r = Σ (x − mean x) (y − mean y) / sqrt(Σ (x − mean x)² Σ (y − mean y)²), from −1 to 1.

    >>> round(pearson_r([1, 2, 3], [2, 4, 6]), 9), pearson_r([1, 2, 3], [1, 0, 1])
    (1.0, 0.0)
    """
    _same_length(one, other)
    x, y = _centre(one), _centre(other)
    if not x or not y:
        return nan
    return min(1.0, max(-1.0, sum(a * b for a, b in zip(x, y, strict=True)) / (hypot(*x) * hypot(*y))))


def least_squares(x: Sequence[float], y: Sequence[float]) -> Line:
    """The line that best predicts y from x: slope = Σ (x − mean x) (y − mean y) / Σ (x − mean x)².

    R² is nan where y does not vary.

    >>> least_squares([0, 1, 2], [1, 3, 5])
    Line(slope=2.0, intercept=1.0, r2=1.0)
    """
    _same_length(x, y)
    across, up = _centre(x), _centre(y)
    if not across:
        return Line(nan, nan, nan)
    if not up:
        return Line(0.0, y[0], nan)
    together = sum(a * b for a, b in zip(across, up, strict=True))
    varied = sum(a * a for a in across)
    slope = together / varied
    r2 = together**2 / (varied * sum(b * b for b in up))
    return Line(slope, sum(y) / len(y) - slope * sum(x) / len(x), min(r2, 1.0))


def _centre(values: Sequence[float]) -> list[float]:
    # Differences from the mean; empty where there is no difference.
    if len(values) < 2:
        return []
    mean = sum(values) / len(values)
    centred = [value - mean for value in values]
    return centred if any(sign(value) for value in centred) else []


def _same_length(one: Sequence[float], other: Sequence[float]) -> None:
    if len(one) != len(other):
        raise ValueError(f"{len(one)} figures beside {len(other)}: there must be as many of both")


Scale = Literal["nominal", "ordinal", "interval"]
Span = tuple[int, int]

Normaliser = Literal["max", "arithmetic", "geometric", "min"]
"""How two entropies are joined to what adjusted mutual information is divided by."""


def cohen_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """κ = (p_o − p_e) / (1 − p_e): how often two judges give one label, p_o, beyond p_e, how often chance would.

    p_e is the sum over labels of the product of the judges' own shares (Cohen, Educational and Psychological
    Measurement 20, 1960).

    Args:
        one: labels of the first judge, one for each item.
        other: those of the second, in the same order.

    Returns:
        From −1 to 1; nan without items, or where both gave everything the same label.

    Raises:
        ValueError: not as many labels of the one as of the other.

    >>> cohen_kappa("yynn", "yynn"), cohen_kappa("yynn", "ynyn"), cohen_kappa("yyyn", "yynn")
    (1.0, 0.0, 0.5)
    """
    if len(one) != len(other):
        raise ValueError(
            f"one judge gave {len(one)} labels and the other {len(other)}: both must judge the same items"
        )
    if not one:
        return nan
    items = len(one)
    observed = sum(a == b for a, b in zip(one, other, strict=True)) / items
    first, second = Counter(one), Counter(other)
    expected = sum(first[label] * second[label] for label in first) / items**2
    return nan if expected == 1 else (observed - expected) / (1 - expected)


def fleiss_kappa(items: Sequence[Sequence[Hashable]]) -> float:
    """κ of any fixed number of judges, not the same for each item perhaps (Fleiss, Psychological Bulletin 76, 1971).

    With n judges an item, n_ij of whom gave item i label j: P_i = Σ_j n_ij (n_ij − 1) / (n (n − 1)), p_e = Σ_j p_j² of
    all labels given, and κ = (mean P − p_e) / (1 − p_e).

    Args:
        items: the labels that each item got, as many for each, at least two.

    Returns:
        Up to 1; nan without items, or where all labels are the same.

    Raises:
        ValueError: items of fewer than two labels, or not all of as many.

    >>> round(fleiss_kappa(["aaa", "abb", "bbb"]), 3)
    0.55
    """
    if not items:
        return nan
    judges = len(items[0])
    if judges < 2 or any(len(item) != judges for item in items):
        raise ValueError("each item needs the same number of labels, at least two")
    total: Counter[Hashable] = Counter(label for item in items for label in item)
    agreed = sum(count * (count - 1) for item in items for count in Counter(item).values())
    observed = agreed / (len(items) * judges * (judges - 1))
    expected = sum(count**2 for count in total.values()) / (len(items) * judges) ** 2
    return nan if expected == 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(items: Sequence[Sequence[float | Hashable | None]], scale: Scale = "nominal") -> float:
    """α = 1 − D_o / D_e, disagreement observed over expected: any judges, some of whom may be silent on an item.

    With the coincidences o_cd of values c and d within items (each pair of an item with m values counts 1 / (m − 1))
    and n_c = Σ_d o_cd: D_o = Σ o_cd δ²_cd / n, D_e = Σ n_c n_d δ²_cd / (n (n − 1)). δ² is 0 or 1 for `nominal` values,
    (c − d)² for `interval`, and for `ordinal` the square of the ranks from c to d, half of both ends
    (Krippendorff, Content Analysis, 2004, chapter 11).

    Args:
        items: what each judge said of each item; None where a judge said nothing.
        scale: what the values are; of `ordinal` and `interval` ones they are numbers.

    Returns:
        Up to 1; nan where fewer than two values can be paired, or all are the same.

    >>> one, other = [0, 1, 1, None], [0, 1, 0, 1]
    >>> round(krippendorff_alpha(list(zip(one, other))), 3)
    0.444
    """
    paired = [[value for value in item if value is not None] for item in items]
    paired = [values for values in paired if len(values) > 1]
    coincidences: Counter[tuple[Hashable, Hashable]] = Counter()
    for values in paired:
        for at, c in enumerate(values):
            for other, d in enumerate(values):
                if at != other:
                    coincidences[c, d] += 1 / (len(values) - 1)  # type: ignore[assignment]
    count: Counter[Hashable] = Counter()
    for (c, _), share in coincidences.items():
        count[c] += share
    total = sum(count.values())
    distance = _distances(count, scale)
    observed = sum(share * distance(c, d) for (c, d), share in coincidences.items())
    expected = sum(count[c] * count[d] * distance(c, d) for c in count for d in count)
    return nan if not expected else 1 - (total - 1) * observed / expected


class _distances:  # noqa: N801 - called as a function
    def __init__(self, count: Mapping[Hashable, float], scale: Scale) -> None:
        self.count, self.scale = count, scale
        self.order: list[float] = [] if scale == "nominal" else sorted(count)  # type: ignore[arg-type]

    def __call__(self, c: Hashable, d: Hashable) -> float:
        if c == d:
            return 0.0
        if self.scale == "nominal":
            return 1.0
        low, high = sorted((c, d))  # type: ignore[type-var]
        if self.scale == "interval":
            return float(high - low) ** 2  # type: ignore[operator]
        between = self.order[self.order.index(low) : self.order.index(high) + 1]  # type: ignore[arg-type]
        ranks = sum(self.count[judge] for judge in between) - (self.count[low] + self.count[high]) / 2
        return float(ranks) ** 2


def adjusted_rand(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """ARI = (Σ C(n_ij, 2) − E) / (½ (Σ C(a_i, 2) + Σ C(b_j, 2)) − E), E = Σ C(a_i, 2) Σ C(b_j, 2) / C(n, 2).

    n_ij items are in cluster i of the one and j of the other judge, a_i and b_j are the clusters' sizes (Hubert and
    Arabie, Journal of Classification 2, 1985).

    Args:
        one: the cluster of each item, by the first judge.
        other: by the second, in the same order.

    Returns:
        Up to 1; 1 where both have all items in one cluster or each in its own; nan with fewer than two items.

    >>> adjusted_rand("aabb", "xxyy"), round(adjusted_rand("aabb", "xxyz"), 3)
    (1.0, 0.571)
    """
    if len(one) != len(other):
        raise ValueError(
            f"one judge put {len(one)} items into clusters and the other {len(other)}: both must judge the same items"
        )
    if len(one) < 2:
        return nan
    both = sum(comb(count, 2) for count in Counter(zip(one, other, strict=True)).values())
    first = sum(comb(count, 2) for count in Counter(one).values())
    second = sum(comb(count, 2) for count in Counter(other).values())
    chance = first * second / comb(len(one), 2)
    most = (first + second) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def adjusted_mutual_information(
    one: Sequence[Hashable], other: Sequence[Hashable], average: Normaliser = "max"
) -> float:
    """AMI = (I − E[I]) / (norm(H(U), H(V)) − E[I]), E under random clusters of the same sizes.

    Vinh, Epps and Bailey (ICML 2009; JMLR 11, 2010), whose first choice of norm is `max`; scikit-learn now takes
    the arithmetic mean.

    Args:
        one: the cluster of each item, by the first judge.
        other: by the second, in the same order.
        average: how the entropies of the two are joined, as scikit-learn names the ways.

    Returns:
        Up to 1; 1 where both have all items in one cluster or each in its own; nan without items.

    >>> [round(adjusted_mutual_information("aabb", other), 3) for other in ("xxyy", "xxyz")]
    [1.0, 0.4]
    """
    if len(one) != len(other):
        raise ValueError(
            f"one judge put {len(one)} items into clusters and the other {len(other)}: both must judge the same items"
        )
    items = len(one)
    if not items:
        return nan
    first, second = Counter(one), Counter(other)
    if len(first) == len(second) and len(first) in (1, items):
        return 1.0
    shared = Counter(zip(one, other, strict=True))
    information = sum(
        count / items * log(items * count / (first[a] * second[b])) for (a, b), count in shared.items()
    )
    expected = _expected_information(Counter(first.values()), Counter(second.values()), items)
    entropies = _entropy(first, items), _entropy(second, items)
    norm = _join(entropies, average)
    return 0.0 if norm == expected else (information - expected) / (norm - expected)


def _join(entropies: tuple[float, float], average: Normaliser) -> float:
    if average == "max":
        return max(entropies)
    if average == "min":
        return min(entropies)
    return sqrt(entropies[0] * entropies[1]) if average == "geometric" else sum(entropies) / 2


def _entropy(sizes: Mapping[Hashable, int], items: int) -> float:
    return -sum(size / items * log(size / items) for size in sizes.values())


def _expected_information(first: Mapping[int, int], second: Mapping[int, int], items: int) -> float:
    """The mean information of random clusters; `first` and `second` count the clusters of each size."""
    factorial = [lgamma(number + 1) for number in range(items + 1)]
    total = 0.0
    for a, many in first.items():
        for b, as_many in second.items():
            fixed = (
                factorial[a] + factorial[b] + factorial[items - a] + factorial[items - b] - factorial[items]
            )
            for shared in range(max(1, a + b - items), min(a, b) + 1):
                ways = fixed - factorial[shared] - factorial[a - shared] - factorial[b - shared]
                ways -= factorial[items - a - b + shared]
                total += many * as_many * shared / items * log(items * shared / (a * b)) * exp(ways)
    return total


def span_overlap(one: Sequence[Span], other: Sequence[Span]) -> float:
    """F = 2 |A ∩ B| / (|A| + |B|) of the characters that two judges marked, each as half-open spans, in 0..1.

    >>> span_overlap([(0, 4)], [(2, 6)]), span_overlap([(0, 4)], [(0, 2), (2, 4)])
    (0.5, 1.0)
    """
    first = {at for start, end in one for at in range(start, end)}
    second = {at for start, end in other for at in range(start, end)}
    marked = len(first) + len(second)
    return 2 * len(first & second) / marked if marked else nan
