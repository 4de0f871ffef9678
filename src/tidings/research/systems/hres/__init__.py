"""`hres`: hierarchical encoder, multi-head attention, a policy trained by reinforcement (numpy; no torch)."""

from tidings.research.systems.hres.follower import Hres

__all__ = ["Hres"]
