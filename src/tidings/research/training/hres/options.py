"""The options of the trainer of `hres`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = ["HresOptions"]

Count = Annotated[int, Meta(ge=0, le=10_000)]
Share = Annotated[float, Meta(ge=0, le=10)]


class HresOptions(Struct, frozen=True, kw_only=True):
    """How to train `hres`; given as texts by `--set name=value`.

    Attributes:
        hops: rows b of the attention matrix A.
        attention: learned; uniform gives all words of a sentence the same weight (to see what attention adds).
        query: whether encoder and attention may see the query; the gate always does.
        penalty: weight of |A Aᵀ - I|².
        dropout: share of inputs that are hidden at random while encoder and imitation learn.
        words: rows of the table of hashed word vectors.
        size: numbers of a word vector.
        units: hidden numbers of each direction of the BiLSTM.
        memory: numbers of the policy's recurrent memory.
        overlap, max_words: the gate of the system that will run.
        texts: rounds over sentences of the streams, matching or not (96 of each stream a round), in which the encoder
            learns to guess hidden words, and which sentences are copies of each other or of one document.
        passes: passes over the matching sentences in which it learns relevance, gain and likeness.
        level: gain per verbosity from which the oracle tells; 0: for each event the level of its best H, which
            the policy cannot know.
        imitation: rounds of imitating the greedy oracle.
        steps: rounds of REINFORCE.
        events: events that a round of REINFORCE plays, drawn anew for each.
        rollouts: streams played out for each event and round.
        reward: hres-new = .15 EG + .8 nCG + .05 latency; hres = the same without latency; h = H itself.
        without: one term to leave out of the reward: eg, ncg, latency or silence (credit for silent days).
        baseline: what a reward is compared with: the mean of the event's other rollouts, what the policy would do
            without chance (self-critical), or nothing.
        entropy: weight of the entropy that keeps the policy trying.
        rate: learning rate of the encoder before imitation.
        encoder_rate: its learning rate in imitation and REINFORCE; 0 leaves it as it is.
        policy_rate: learning rate of the policy in REINFORCE.
        clip: greatest length of a gradient.
        patience: checks without a better development reward after which REINFORCE ends.
        check: rounds of REINFORCE between checks.
    """

    hops: Annotated[int, Meta(ge=1, le=16)] = 4
    attention: Literal["learned", "uniform"] = "learned"
    query: bool = True
    penalty: Share = 0.02
    dropout: Annotated[float, Meta(ge=0, lt=1)] = 0.3
    words: Annotated[int, Meta(ge=16, le=65_536)] = 8192
    size: Annotated[int, Meta(ge=2, le=64)] = 32
    units: Annotated[int, Meta(ge=2, le=256)] = 16
    memory: Annotated[int, Meta(ge=1, le=256)] = 16
    overlap: Annotated[int, Meta(ge=0, le=20)] = 1
    max_words: Annotated[int, Meta(ge=0, le=1000)] = 40
    texts: Count = 4
    passes: Count = 2
    level: Share = 0.1
    imitation: Count = 14
    steps: Count = 10
    events: Annotated[int, Meta(ge=1, le=1000)] = 6
    rollouts: Annotated[int, Meta(ge=2, le=256)] = 12
    reward: Literal["hres", "hres-new", "h"] = "hres-new"
    without: Literal["", "eg", "ncg", "latency", "silence"] = ""
    baseline: Literal["rollouts", "self-critical", "none"] = "rollouts"
    entropy: Share = 0.003
    rate: Share = 0.003
    encoder_rate: Share = 0.0005
    policy_rate: Share = 0.003
    clip: Annotated[float, Meta(gt=0)] = 1.0
    patience: Annotated[int, Meta(ge=1)] = 8
    check: Annotated[int, Meta(ge=1)] = 5
