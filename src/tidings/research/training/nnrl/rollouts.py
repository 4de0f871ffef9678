"""Streams as games: what a Q-network does on many events at once, what that earns, and how it would score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from tidings.core import Sentence, Update, Vector, shared_analyzer, unit_vector
from tidings.following import build_gate
from tidings.research.systems.nnrl import (
    EMITTED_INPUTS,
    NNRL,
    STREAM_INPUTS,
    EmittedHistory,
    QNetwork,
    StreamHistory,
    spread,
)
from tidings.research.training.cluster_scores import score_as_clusters
from tidings.research.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["Episode", "Played", "Reward", "margin_scores", "play"]


@dataclass(frozen=True)
class Reward:
    """Gain and pain of one push: at most 1 for what is new, -pain where nothing is."""

    pain: float

    def of(self, gains: Sequence[float]) -> float:
        """The reward of a push whose new nuggets are worth so much each.

        >>> Reward(0.3).of([0.5, 1.0]), Reward(0.3).of([])
        (1.0, -0.3)
        """
        return min(1.0, fsum(gains)) if gains else -self.pain


@dataclass(eq=False)
class Episode:
    """One played stream: inputs (length, inputs), states h and c before each sentence, actions 0 or 1, rewards."""

    inputs: Array
    states: tuple[Array, Array]
    actions: Array
    rewards: Array


class Played:
    """One event's sentences that pass the gate, with all that does not depend on what is told.

    Attributes:
        fixed: (length, inputs that do not depend on what was told).
        rows: for each sentence (sentence, time, stems, unit vector).
        gains: for each sentence its nuggets with their gains, .5 or 1.
    """

    def __init__(self, event: JudgedEvent, hashed: int, system: NNRL | None = None) -> None:
        import numpy as np

        system = system or NNRL()
        self.event, self.most = event, system.max_kept
        stems_of, gate = shared_analyzer(system.language).stems, build_gate(system, event.event)
        history = StreamHistory(event.event, system.language)
        self.rows: list[tuple[Sentence, int, tuple[str, ...], Vector]] = []
        self.gains: list[dict[int, float]] = []
        fixed = []
        for sentence, now in event.sentences:
            stems = stems_of(sentence.text)
            if not stems or not gate.admits(sentence.text, stems):
                continue
            vector = unit_vector(stems)
            fixed.append([*history.look(sentence, stems, now), *spread(vector, hashed)])
            self.rows.append((sentence, now, stems, vector))
            # R(n) = e^(importance - 3): above .2 the importance is 2 or 3.
            self.gains.append({n: 1.0 if event.gains[n] > 0.2 else 0.5 for n in event.nuggets_of(sentence)})
        self.fixed = np.array(fixed, dtype=np.float32).reshape(len(fixed), len(STREAM_INPUTS) + hashed)

    @property
    def length(self) -> int:
        """Sentences to decide on."""
        return len(self.rows)

    def updates(self, actions: Sequence[int]) -> list[Update]:
        """What is told when these decisions are taken."""
        event_id = self.event.event.id
        return [
            Update(event_id, one.doc_id, one.index, now, 1.0, one.text, one.published_time, one.source)
            for (one, now, _, _), action in zip(self.rows, actions, strict=True)
            if action
        ]


def play(
    network: QNetwork,
    streams: Sequence[Played],
    reward: Reward,
    random: Any = None,
    explore: float = 0.0,
    push: float = 0.5,
    margin: float | Sequence[float] = 0.0,
) -> list[Episode]:
    """Play all streams side by side, each decision random with probability `explore` (a push then with `push`).

    `margin` is one for all streams, or one for each. States are those of the first network of several. The longest
    stream comes first in the batch, so that those that have ended are cut off at its end.
    """
    import numpy as np

    order = sorted(range(len(streams)), key=lambda number: -streams[number].length)
    chosen = [streams[number] for number in order]
    width = len(EMITTED_INPUTS)
    games = [_Game(stream, network, reward) for stream in chosen]
    state = network.fresh(len(chosen))
    margins = np.broadcast_to(np.array(margin, dtype=float), len(streams))[order]
    for at in range(chosen[0].length if chosen else 0):
        alive = sum(stream.length > at for stream in chosen)
        state = (state[0][:, :alive], state[1][:, :alive])
        for game, h, c in zip(games, state[0][0], state[1][0], strict=False):
            game.look(at, h, c, width)
        inputs = np.stack([game.inputs[at] for game in games[:alive]])
        values, state = network.step(inputs, state)
        actions = values[:, 1] - values[:, 0] > margins[:alive]
        if explore:
            actions = np.where(random.random(alive) < explore, random.random(alive) < push, actions)
        for game, action in zip(games, actions, strict=False):
            game.decide(at, bool(action))
    episodes = {number: game.episode for number, game in zip(order, games, strict=True)}
    return [episodes[number] for number in range(len(streams))]


class _Game:
    """One stream while it is played."""

    def __init__(self, stream: Played, network: QNetwork, reward: Reward) -> None:
        import numpy as np

        length = stream.length
        self._stream, self._reward = stream, reward
        self._emitted = EmittedHistory(stream.most)
        self._emitted_nuggets: set[int] = set()
        self.inputs = np.zeros((length, network.inputs), dtype=np.float32)
        self.inputs[:, : stream.fixed.shape[1]] = stream.fixed
        states = tuple(np.zeros((length, network.hidden), dtype=np.float32) for _ in range(2))
        self.episode = Episode(
            self.inputs,
            (states[0], states[1]),
            np.zeros(length, dtype=np.int64),
            np.zeros(length, dtype=np.float32),
        )

    def look(self, at: int, h: Array, c: Array, width: int) -> None:
        """Write the inputs of sentence `at`, and the state before it."""
        _, now, _, vector = self._stream.rows[at]
        self.inputs[at, -width:] = self._emitted.look(vector, now)
        self.episode.states[0][at], self.episode.states[1][at] = h, c

    def decide(self, at: int, push: bool) -> None:
        """Take the decision on sentence `at` and its reward."""
        self._emitted.last = push
        if not push:
            return
        _, now, stems, _ = self._stream.rows[at]
        self._emitted.add(stems, now)
        gains = self._stream.gains[at]
        self.episode.actions[at] = 1
        self.episode.rewards[at] = self._reward.of(
            [gain for n, gain in gains.items() if n not in self._emitted_nuggets]
        )
        self._emitted_nuggets.update(gains)


def margin_scores(
    network: QNetwork, streams: Sequence[Played], margins: Sequence[float], measure: str
) -> Array:
    """What the network's updates score on each stream under each margin, without exploring; (margins, streams)."""
    import numpy as np

    every = [stream for _ in margins for stream in streams]
    episodes = play(network, every, Reward(0.0), margin=[margin for margin in margins for _ in streams])
    scores = []
    for stream, episode in zip(every, episodes, strict=True):
        updates = stream.updates(episode.actions.tolist())
        figures = stream.event.score(updates) if measure == "H" else score_as_clusters(stream.event, updates)
        scores.append(figures[measure])
    return np.array(scores).reshape(len(margins), len(streams))
