"""`apsal`: affinity propagation whose exemplars are chosen for being salient."""

from tidings.research.systems.apsal.gaussian_process import GaussianProcess, Salience, grouped_kernel
from tidings.research.systems.apsal.learned import (
    FEATURE_GROUPS,
    FEATURES,
    Knowledge,
    columns,
    store_processes,
)
from tidings.research.systems.apsal.system import Apsal, ApsalFollower, Exemplar, similarities_and_preferences
from tidings.research.systems.apsal.wtmf import LatentSpace, solve_all

__all__ = [
    "FEATURES",
    "FEATURE_GROUPS",
    "Apsal",
    "ApsalFollower",
    "Exemplar",
    "GaussianProcess",
    "Knowledge",
    "LatentSpace",
    "Salience",
    "columns",
    "grouped_kernel",
    "similarities_and_preferences",
    "solve_all",
    "store_processes",
]
