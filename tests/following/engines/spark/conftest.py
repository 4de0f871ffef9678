"""One session for all tests of a process: it takes longer to start than most of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.core.store.conftest import postgres_server, postgres_store
from tests.following.engines.spark.runs import surroundings
from tidings.core.errors import UsageError
from tidings.following.engines.spark.host import begin_session, check_java, check_packages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["postgres_server", "postgres_store"]


@pytest.fixture(scope="session")
def spark() -> None:
    """Skips, saying so, where pyspark or Java is missing."""
    try:
        check_packages()
        check_java()
    except UsageError as error:
        pytest.skip(f"{error} (`make test-spark` sets it up)")


@pytest.fixture(scope="session")
def session(spark: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on two cores of this machine."""
    os.environ |= surroundings()
    running = begin_session("local[2]", log=str(tmp_path_factory.mktemp("spark") / "log"))
    yield running
    running.stop()
