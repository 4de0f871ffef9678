"""The options of a run on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from tidings.following.engines.spark.host import SparkOptions

__all__ = [
    "CheckpointFolder",
    "Engine",
    "FilesPerBatch",
    "Master",
    "Partitions",
    "SparkConf",
    "spark_options",
]

Engine = Annotated[
    Literal["local", "spark"],
    typer.Option(help="What carries the followers: this process, or Apache Spark (extra: tidings[spark])."),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="Where Spark runs, as local[2] or spark://host:7077 (default: this machine)."
    ),
]
CheckpointFolder = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        metavar="FOLDER",
        help="Where Spark keeps the query; all workers must see it (default: OUT.checkpoint).",
    ),
]
Partitions = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Into how many parts Spark deals the events (default: 4)."),
]
FilesPerBatch = Annotated[
    int | None,
    typer.Option(min=1, help="How many files Spark reads in one batch (default: all that are there)."),
]
SparkConf = Annotated[
    list[str] | None,
    typer.Option(
        "--conf",
        metavar="NAME=VALUE",
        help="A setting of Spark's own, before those of tidings; may be repeated.",
    ),
]
_PARTITIONS = 4


def spark_options(
    engine: str,
    master: str | None,
    checkpoint: str | None,
    partitions: int | None,
    files_per_batch: int | None,
    conf: list[str] | None,
    *,
    live: bool,
) -> SparkOptions | None:
    """How a run is laid out on Spark; None where it runs in this process."""
    from tidings.core import UsageError

    given = {
        "--master": master,
        "--checkpoint": checkpoint,
        "--partitions": partitions,
        "--files-per-batch": files_per_batch,
        "--conf": conf or None,
    }
    if engine != "spark":
        for option in (option for option, value in given.items() if value is not None):
            raise UsageError(f"found {option} without --engine spark, expected it there; leave it out")
        return None
    from tidings.following.engines.spark.session import check_packages

    check_packages()
    from tidings.following.engines.spark.host import SparkOptions

    return SparkOptions(
        master=master or "",
        checkpoint=checkpoint or "",
        partitions=partitions or _PARTITIONS,
        files_per_batch=files_per_batch or 0,
        live=live,
        conf=dict(map(_setting, conf or ())),
    )


def _setting(text: str) -> tuple[str, str]:
    from tidings.core import UsageError

    name, equals, value = text.partition("=")
    if not equals or not name.startswith("spark."):
        raise UsageError(
            f"found --conf {text!r}, expected a setting of Spark such as spark.executor.memory=4g"
        )
    return name, value
