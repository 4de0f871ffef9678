"""`hres`: hierarchical encoder, multi-head attention, a policy trained by reinforcement (numpy; no torch)."""

from tidings.systems.hres.follower import Hres

__all__ = ["Hres"]
