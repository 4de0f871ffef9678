"""What `apsal` learned, as a model file holds it: a latent space, processes of salience, and word models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidings.core import Model, UsageError, check_arrays
from tidings.following import NAMES, TEXT_FEATURE_GROUPS, WordModels
from tidings.research.systems.apsal.gaussian_process import GaussianProcess, Salience
from tidings.research.systems.apsal.wtmf import LatentSpace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["FEATURES", "FEATURE_GROUPS", "Knowledge", "columns", "processes_of", "store_processes"]

FEATURE_GROUPS: dict[str, tuple[str, ...]] = {
    "basic": TEXT_FEATURE_GROUPS["basic"],
    "query": TEXT_FEATURE_GROUPS["query"],
    "language model": TEXT_FEATURE_GROUPS["lm"],
    "temporal": (*TEXT_FEATURE_GROUPS["stream"], *TEXT_FEATURE_GROUPS["burst"]),
}
"""The features by group, each with a kernel of its own; the published group of places on a map is left out."""

FEATURES: tuple[str, ...] = tuple(name for names in FEATURE_GROUPS.values() for name in names)

_ARRAYS = ("centre", "scale", "points", "alpha", "offset", "amplitudes", "lengths")


def columns() -> list[int]:
    """Where FEATURES stand in a row of the shared features."""
    place = {name: number for number, name in enumerate(NAMES)}
    return [place[name] for name in FEATURES]


class Knowledge:
    """What `apsal` knows of sentences, and the limits that were chosen with it.

    Attributes:
        words: the word models that features are computed with.
        space: the space of latent vectors.
        group: sentences that an update must stand for, itself counted; at least 1.
        similarity: highest cosine of an update to an earlier one; 0 to 1.
    """

    def __init__(
        self,
        words: WordModels,
        space: LatentSpace,
        processes: Sequence[GaussianProcess],
        group: int,
        similarity: float,
    ) -> None:
        self.words, self.space = words, space
        self.group, self.similarity = group, similarity
        self._salience = Salience(processes)
        self._columns = columns()

    @classmethod
    def of(cls, model: Model) -> Knowledge:
        """That of a model file; its shapes are checked.

        Raises:
            UsageError: the model was made for other features.
        """
        if model.settings.get("features") != list(FEATURES):
            raise UsageError(
                f"model of system {model.card.system!r}: found other features than this version computes, "
                "expected the same; train it again with `tidings train apsal`"
            )
        check_arrays(
            model,
            {
                "idf": "(terms)",
                "factors": "(terms, size)",
                "process_centre": "(processes, features)",
                "process_scale": "(processes, features)",
                "process_lengths": "(processes, features)",
                "process_points": "(processes, points, features)",
                "process_alpha": "(processes, points)",
                "process_offset": "(processes)",
                "process_amplitudes": "(processes, groups)",
            },
            {
                "terms": len(str(model.settings["terms"]).split()),
                "features": len(FEATURES),
                "groups": len(FEATURE_GROUPS),
            },
            nonzero=("process_scale", "process_lengths"),
        )
        terms = str(model.settings["terms"]).split()
        space = LatentSpace(
            terms,
            model.array("idf"),
            model.array("factors"),
            float(model.settings["missing"]),
            float(model.settings["ridge"]),
        )
        return cls(
            WordModels.read(model.arrays, model.settings),
            space,
            processes_of(model),
            int(model.settings["group"]),
            float(model.settings["similarity"]),
        )

    def salience(self, rows: Sequence[Sequence[float]]) -> Floats:
        """Predicted salience of sentences, from rows of the shared features."""
        import numpy as np

        features = np.array(rows, dtype=float).reshape(len(rows), len(NAMES))
        return self._salience.predict(features[:, self._columns])


def store_processes(processes: Sequence[GaussianProcess]) -> dict[str, Any]:
    """Arrays for a model file; a process of fewer points than the largest is filled up with ones that count nothing."""
    import numpy as np

    most = max(len(process.points) for process in processes)
    stored: dict[str, list[Any]] = {name: [] for name in _ARRAYS}
    for process in processes:
        rest = most - len(process.points)
        stored["points"].append(np.pad(process.points, ((0, rest), (0, 0))).astype(np.float16))
        stored["alpha"].append(np.pad(process.alpha, (0, rest)).astype(np.float32))
        for name in ("centre", "scale", "offset", "amplitudes", "lengths"):
            stored[name].append(np.asarray(getattr(process, name), dtype=np.float32))
    return {f"process_{name}": np.stack(values) for name, values in stored.items()}


def processes_of(model: Model) -> list[GaussianProcess]:
    """What `store_processes` wrote."""
    import numpy as np

    groups = np.repeat(np.arange(len(FEATURE_GROUPS)), [len(names) for names in FEATURE_GROUPS.values()])
    arrays = {name: model.array(f"process_{name}").astype(np.float64) for name in _ARRAYS}
    return [
        GaussianProcess(
            arrays["centre"][i],
            arrays["scale"][i],
            arrays["points"][i],
            arrays["alpha"][i],
            float(arrays["offset"][i]),
            arrays["amplitudes"][i],
            arrays["lengths"][i],
            groups,
        )
        for i in range(len(arrays["points"]))
    ]
