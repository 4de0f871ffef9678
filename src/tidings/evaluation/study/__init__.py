"""Nuggets against clusters on a doubly judged collection, as Baruah, McCreadie and Lin studied them (CIKM 2017)."""

from __future__ import annotations

from tidings.evaluation.study.collection import Collection, collect
from tidings.evaluation.study.whole_study import Study, make_study

__all__ = ["Collection", "Study", "collect", "make_study"]
