"""How far judged events can be trusted with systems that were not pooled, by taking judgments away."""

from __future__ import annotations

from tidings.evaluation.reuse.reuse import Agreement, AtDepth, LeftRun, Mended, Reuse, Taking, reuse

__all__ = ["Agreement", "AtDepth", "LeftRun", "Mended", "Reuse", "Taking", "reuse"]
