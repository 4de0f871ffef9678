"""Learning to search: decisions over a stream, learned by imitating an oracle that knows the judgments."""

from tidings.research.systems.l2s.policy import DYNAMIC, FACTORS, Policy, dynamic, standard
from tidings.research.systems.l2s.systems import L2S, L2SCosine, L2SFollower

__all__ = ["DYNAMIC", "FACTORS", "L2S", "L2SCosine", "L2SFollower", "Policy", "dynamic", "standard"]
