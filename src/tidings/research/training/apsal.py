"""Training of `apsal`: a latent space, and for each event a Gaussian process of salience.

Trains `apsal`: a latent space of all training texts, for each event a Gaussian process of salience, and the limits.

What is emitted depends on how many sentences an update stands for and how like an earlier one it may be. Both are
chosen by leaving events out: each is followed under every pair of GROUPS and SIMILARITIES with the processes of the
others, and the pair with the best mean H is taken, each similarity with its neighbours.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from tidings.core import Update, UsageError, shared_analyzer
from tidings.following import Array, Batch, WordModels
from tidings.research.systems.apsal import Apsal, ApsalFollower, Exemplar
from tidings.research.systems.apsal_knowledge import (
    FEATURE_GROUPS,
    FEATURES,
    GaussianProcess,
    Knowledge,
    LatentSpace,
    columns,
    grouped_kernel,
    solve_all,
    store_processes,
)
from tidings.research.training.folds import export_words, read_intervals, summit, words_without
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.model_files import need
from tidings.research.training.trainers import Learned, Training, read_options

if TYPE_CHECKING:
    from numpy.random import Generator


Factorized = tuple[list[str], Array, Array]
"""Terms, their idf, and P (terms × K)."""


def factorize(
    texts: Sequence[Sequence[str]],
    *,
    size: int = 48,
    terms: int = 5_000,
    least: int = 3,
    missing: float = 0.01,
    ridge: float = 20.0,
    rounds: int = 4,
    seed: int = 0,
) -> Factorized:
    """Terms, idf and factors of texts given as stems.

    The `terms` commonest stems that at least `least` texts hold are known; X holds tf·ln(N/df). From a small random P,
    `rounds` times the vectors of all texts are solved for, then those of all terms.

    Args:
        size: K, the length of the vectors (paper: 100).
        missing: weight of a cell that is zero (paper: .01).
        ridge: λ (paper: 20).
    """
    different = list(dict.fromkeys(tuple(stems) for stems in texts))
    holders = Counter(stem for stems in different for stem in set(stems))
    ranked = sorted(holders, key=lambda stem: (-holders[stem], stem))[:terms]
    vocabulary = [stem for stem in ranked if holders[stem] >= least]
    numbers = {stem: number for number, stem in enumerate(vocabulary)}
    idf = np.array([math.log(len(different) / holders[stem]) for stem in vocabulary])
    rows: list[tuple[Array, Array]] = []
    columns: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for stems in different:
        counts = Counter(number for stem in stems if (number := numbers.get(stem)) is not None)
        if not counts:
            continue
        cells = np.fromiter(counts, dtype=np.int64, count=len(counts))
        values = np.array([counts[cell] for cell in counts]) * idf[cells]
        for cell, value in zip(cells.tolist(), values.tolist(), strict=True):
            columns[cell].append((len(rows), value))
        rows.append((cells, values))
    across = [
        (np.array([row for row, _ in columns[number]]), np.array([value for _, value in columns[number]]))
        for number in range(len(vocabulary))
    ]
    rng = np.random.default_rng(seed)
    factors = rng.normal(0.0, 1.0, (len(vocabulary), size))
    eye = ridge * np.eye(size)
    for _ in range(rounds):
        vectors = solve_all(rows, factors, missing * (factors.T @ factors) + eye, missing)
        factors = solve_all(across, vectors, missing * (vectors.T @ vectors) + eye, missing)
    return vocabulary, idf, factors


_LOWEST, _HIGHEST = -5.0, 5.0  # bounds of all logarithms of amplitudes, lengths and noise


def log_marginal_likelihood(
    parameters: Array, inputs: Array, targets: Array, groups: Array
) -> tuple[float, Array]:
    """The logarithm of p(targets | inputs, parameters) and its gradient.

    log p = −½ yᵀ K⁻¹ y − ½ log|K| − (n/2) log 2π. `parameters` are logarithms: of each group's amplitude, of each
    feature's length scale, and of the noise. One white kernel for each group, as published, is the same as one for
    all: only their sum enters.

    Returns (−inf, zeros) where K is not positive definite.
    """
    n, size = inputs.shape
    parts = int(groups.max()) + 1
    amplitudes, lengths = np.exp(parameters[:parts]), np.exp(parameters[parts : parts + size])
    noise = float(np.exp(parameters[-1]))
    one_each = np.eye(parts)
    kernels = [
        grouped_kernel(inputs, inputs, amplitudes * one_each[group], lengths, groups)
        for group in range(parts)
    ]
    K = np.sum(kernels, axis=0)
    K[np.diag_indices(n)] += noise
    try:
        lower = np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return -np.inf, np.zeros_like(parameters)
    inverse_lower = np.linalg.inv(lower)
    inverse = inverse_lower.T @ inverse_lower
    alpha = inverse @ targets
    value = -0.5 * targets @ alpha - np.log(np.diag(lower)).sum() - 0.5 * n * np.log(2 * np.pi)
    # d log p / dθ = ½ tr((ααᵀ − K⁻¹) dK/dθ)
    slope = np.outer(alpha, alpha) - inverse
    gradient = np.empty_like(parameters)
    for group, kernel in enumerate(kernels):
        weighted = slope * kernel
        gradient[group] = 0.5 * weighted.sum()
        members = np.flatnonzero(groups == group)
        scaled = inputs[:, members] / lengths[members]
        # Σᵢⱼ Wᵢⱼ (xᵢ − xⱼ)² = 2 (Σᵢ xᵢ² Σⱼ Wᵢⱼ − xᵀWx) for a symmetric W
        rows = weighted.sum(axis=1)
        gradient[parts + members] = rows @ (scaled * scaled) - (scaled * (weighted @ scaled)).sum(axis=0)
    gradient[-1] = 0.5 * noise * np.trace(slope)
    return float(value), gradient


def fit_process(
    features: Array,
    targets: Array,
    groups: Array,
    rng: Generator,
    *,
    restarts: int = 2,
    iterations: int = 20,
    jitter: float = 1e-2,
) -> GaussianProcess:
    """The process that best explains `targets` (n numbers) by `features` (n × D, raw).

    Features are standardised and given a Gaussian jitter of this standard deviation; then L-BFGS takes `iterations`
    steps from each of `restarts` starting points, the first of them all ones with a noise of a half, and the
    likeliest end is kept.
    """
    minimize = need("scipy.optimize").minimize
    centre, scale = features.mean(axis=0), features.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    inputs = (features - centre) / scale + rng.normal(0.0, jitter, features.shape)
    inputs = inputs.astype(np.float16).astype(np.float64)  # as a model file holds them
    offset = float(targets.mean())
    spread = float(targets.std()) or 1.0
    wanted = (targets - offset) / spread
    parts, size = int(groups.max()) + 1, features.shape[1]

    def loss(parameters: Array) -> tuple[float, Array]:
        value, gradient = log_marginal_likelihood(parameters, inputs, wanted, groups)
        return (-value, -gradient) if np.isfinite(value) else (1e12, np.zeros_like(gradient))

    best, solution = np.inf, np.zeros(parts + size + 1)
    for restart in range(restarts):
        start = np.zeros(parts + size + 1)
        start[:parts] = -np.log(parts)
        # A length of √(features of the group): then the distances within a group are of the order of one.
        start[parts:-1] = 0.5 * np.log(np.bincount(groups, minlength=parts)[groups])
        start[-1] = np.log(0.5)
        if restart:
            start += rng.normal(0.0, 1.0, start.shape)
        end = minimize(
            loss,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=[(_LOWEST, _HIGHEST)] * len(start),
            options={"maxiter": iterations},
        )
        if end.fun < best:
            best, solution = end.fun, end.x
    amplitudes, lengths = np.exp(solution[:parts]), np.exp(solution[parts:-1])
    K = grouped_kernel(inputs, inputs, amplitudes, lengths, groups)
    noise = float(np.exp(solution[-1]))
    K[np.diag_indices(len(K))] += noise
    alpha = np.linalg.solve(K, wanted) * spread
    return GaussianProcess(centre, scale, inputs, alpha, offset, amplitudes, lengths, groups, noise)


GROUPS = (1, 2)
SIMILARITIES = (0.2264, 0.3, 0.4, 0.5)  # the paper's, and three above it


class ApsalOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the trainer."""

    samples: Annotated[int, Meta(ge=10)] = 140
    """Sentences that each process learns from; paper: 1000."""
    restarts: Annotated[int, Meta(ge=1)] = 2
    """Starting points of each fit; paper: 10."""
    iterations: Annotated[int, Meta(ge=1)] = 20
    """Steps of each fit; paper: 20."""
    size: Annotated[int, Meta(ge=2)] = 40
    """Length of the latent vectors; Guo and Diab: 100."""
    terms: Annotated[int, Meta(ge=1)] = 3_500
    """Stems known to the latent space."""
    word_terms: Annotated[int, Meta(ge=1)] = 4_000
    """Terms of the word models that are kept."""
    missing: Annotated[float, Meta(gt=0, le=1)] = 0.01
    """Weight of terms that a text lacks."""
    ridge: Annotated[float, Meta(gt=0)] = 20.0
    """Penalty on the length of latent vectors."""
    texts: Annotated[int, Meta(ge=1)] = 20_000
    """Most texts that the latent space is learned from."""


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn from `events`; the `development` events join them, since nothing here is stopped early.

    The curve has a row for each of SIMILARITIES: the mean H of events left out under each of GROUPS.
    """
    options = read_options(ApsalOptions, training.options, training.system)
    events = [*events, *development]
    rng = np.random.default_rng(training.seed)
    steps = 2 * len(events) + 2
    training.progress(0, steps, "latent space")
    system = Apsal()
    terms, idf, factors = factorize(
        _texts(events, system.language, options.texts, training.seed),
        size=options.size,
        terms=options.terms,
        missing=options.missing,
        ridge=options.ridge,
        seed=training.seed,
    )
    factors = factors.astype(np.float16)
    idf = idf.astype(np.float32)
    space = LatentSpace(terms, idf, factors, options.missing, options.ridge)
    groups = np.repeat(np.arange(len(FEATURE_GROUPS)), [len(names) for names in FEATURE_GROUPS.values()])
    left_out = words_without(events)
    processes: dict[int, GaussianProcess] = {}
    for number, (event, words) in enumerate(zip(events, left_out, strict=True)):
        training.progress(1 + number, steps, f"salience of {event.event.id}")
        rows, stems = _read(event, words, system)
        if len(rows) < 2:
            continue
        some = np.sort(rng.permutation(len(rows))[: options.samples])
        targets = salience_targets(space, [stems[i] for i in some], event, system.language)
        processes[number] = fit_process(
            rows[some][:, columns()],
            targets,
            groups,
            rng,
            restarts=options.restarts,
            iterations=options.iterations,
        )
    if not processes:
        raise UsageError("training apsal: no event with two sentences that match its query (expected some)")
    scores = []
    for number, (event, words) in enumerate(zip(events, left_out, strict=True)):
        training.progress(1 + len(events) + number, steps, f"limits without {event.event.id}")
        others = [process for place, process in processes.items() if place != number] or list(
            processes.values()
        )
        scores.append(
            limit_scores(event, Knowledge(words, space, others, GROUPS[0], SIMILARITIES[0]), system)
        )
    means = np.mean(scores, axis=0)
    group, similarity = summit(means)
    training.progress(1 + 2 * len(events), steps, "word models")
    arrays, settings = export_words(events, options.word_terms)
    arrays |= store_processes(list(processes.values())) | {"factors": factors, "idf": idf}
    settings |= {
        "features": list(FEATURES),
        "terms": " ".join(terms),
        "missing": options.missing,
        "ridge": options.ridge,
        "group": GROUPS[group],
        "similarity": SIMILARITIES[similarity],
        "options": msgspec.to_builtins(options),
    }
    training.progress(steps, steps, "done")
    curve = [
        {"step": limit, **{f"H-{group}": float(means[row, column]) for row, group in enumerate(GROUPS)}}
        for column, limit in enumerate(SIMILARITIES)
    ]
    return Learned(arrays, settings, curve)


def salience_targets(
    space: LatentSpace, texts: Sequence[Sequence[str]], event: JudgedEvent, language: str
) -> Array:
    """For each text the highest cosine of its latent vector to any nugget's; −1..1."""
    stems_of = shared_analyzer(language).stems
    nuggets = space.vectors([stems_of(text) for text in event.nugget_texts])
    salience: Array = (space.vectors(texts) @ nuggets.T).max(axis=1)
    return salience


def _texts(events: Sequence[JudgedEvent], language: str, most: int, seed: int) -> list[tuple[str, ...]]:
    stems_of = shared_analyzer(language).stems
    distinct: dict[str, None] = {}
    for event in events:
        for sentence, _ in event.sentences:
            if len(sentence.text) <= 500:
                distinct[sentence.text] = None
    texts = list(distinct)
    if len(texts) > most:
        some = np.sort(np.random.default_rng(seed).permutation(len(texts))[:most])
        texts = [texts[i] for i in some]
    return [stems_of(text) for text in texts]


class _Recorder(ApsalFollower):
    """Tells nothing and keeps the exemplars of each interval, which no limit changes."""

    def __init__(self, system: Apsal, event: JudgedEvent, knowledge: Knowledge) -> None:
        super().__init__(system, event.event, knowledge)
        self.intervals: list[tuple[list[Exemplar], int]] = []

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        self.intervals.append((self.exemplars(batch, now), now))
        return []


def limit_scores(event: JudgedEvent, knowledge: Knowledge, system: Apsal) -> Array:
    """H of an event under each of GROUPS and SIMILARITIES, of shape (groups, similarities)."""
    recorder = _Recorder(system, event, knowledge)
    event.run(recorder)

    def score(group: int, similarity: float) -> float:
        limited = replace(system, group=group, similarity=similarity)
        follower = ApsalFollower(limited, event.event, knowledge)
        updates = [update for batch, now in recorder.intervals for update in follower.choose(batch, now)]
        return event.score(updates)["H"]

    return np.array([[score(group, similarity) for similarity in SIMILARITIES] for group in GROUPS])


def _read(event: JudgedEvent, words: WordModels, system: Apsal) -> tuple[Array, list[tuple[str, ...]]]:
    featured = [item for _, many, _, _ in read_intervals(event, words, system) for item in many]
    return np.array([item.row for item in featured], dtype=float), [item.stems for item in featured]
