"""`nnrl`: push or skip by a Q-network with a memory; Tan, Lu and Li, SIGIR 2017.

The stream of one event is a sequence of decisions. x_t says what is known of the sentence t and of what was told
before it, a ∈ {skip, push}, and

    h_t     = LSTM(x_t, h_{t-1})
    Q(t, a) = W₃ relu(W₂ relu(W₁ h_t))         told if Q(t, push) - Q(t, skip) > margin

is learned such that Q(t, a) = r(t, a) + γ max_a' Q(t+1, a').

True to the paper: the decision of one sentence at a time as it arrives, the two actions, a Q-network of one LSTM layer
and three fully connected layers, learned by Q-learning with a replay memory, a target network and ε-greedy
exploration so that both the past and the future of the stream count. Its full text could not be had; reconstructed
are the inputs (inputs.py lists them; the paper will have had word vectors of tweets), all sizes, the discount, and the
reward, for which see tidings.research.training.nnrl.trainer. The gate before it is that of the other systems here.
"""

from tidings.research.systems.nnrl.follower import NNRL, NNRLFollower
from tidings.research.systems.nnrl.inputs import (
    EMITTED_INPUTS,
    STREAM_INPUTS,
    EmittedHistory,
    StreamHistory,
    spread,
)
from tidings.research.systems.nnrl.network import ARRAYS, QNetwork

__all__ = [
    "ARRAYS",
    "EMITTED_INPUTS",
    "NNRL",
    "STREAM_INPUTS",
    "EmittedHistory",
    "NNRLFollower",
    "QNetwork",
    "StreamHistory",
    "spread",
]
