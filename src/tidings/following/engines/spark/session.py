"""A session of Spark with what the follower needs, and words for what is missing on a machine."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from tidings.core import UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["OPTIONS", "begin_session", "check_java", "check_packages"]

_OLDEST_JAVA = 17
_Bounds = tuple[tuple[int, ...], tuple[int, ...]]
_PACKAGES: dict[str, _Bounds] = {
    "pyspark": ((4, 1), (5,)),
    "pandas": ((2, 2), (3,)),
    "pyarrow": ((15,), ()),
    "protobuf": ((5,), ()),
}
"""The oldest version that serves, and the first one that does not any more; as in pyproject.toml."""
_FAILURES = 4
_PROVIDER = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

OPTIONS = {
    # States do not fit into the memory of the JVM for long: RocksDB keeps them on disk. transformWithState asks for it.
    "spark.sql.streaming.stateStore.providerClass": _PROVIDER,
    # Each batch uploads what changed, not a whole snapshot.
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    # Times are seconds UTC everywhere.
    "spark.sql.session.timeZone": "UTC",
    # Offers hold whole sentences: few of them make a batch of a size that Arrow likes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    # Workers keep their models and followers from batch to batch.
    "spark.python.worker.reuse": "true",
    # A page with the query's progress; off unless asked for, since it opens a port.
    "spark.ui.enabled": "false",
    # Lines on a terminal belong to tidings.
    "spark.ui.showConsoleProgress": "false",
}
"""What is set where the caller has not set it; why stands beside each."""


def check_packages() -> None:
    """UsageError where pyspark, or what it needs, is not installed or of a version that cannot serve."""
    for name, (oldest, below) in _PACKAGES.items():
        try:
            text = version(name)
        except PackageNotFoundError:
            raise UsageError(
                f"found no {name}, expected the extra spark: pip install 'tidings[spark]'"
            ) from None
        numbers = tuple(int(part) for part in re.findall(r"\d+", text)[:2])
        if numbers < oldest or (below and numbers >= below):
            wanted = f"{_dotted(oldest)} or later" + (f", below {_dotted(below)}" if below else "")
            raise UsageError(f"found {name} {text}, expected {wanted}: pip install 'tidings[spark]'")


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))


def check_java() -> None:
    """UsageError where there is no Java, or one that Spark does not run on."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    remedy = "install Java 17 or 21 (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless)"
    if not java or not Path(java).exists():
        where = f"JAVA_HOME={home}" if home else "the PATH"
        raise UsageError(f"found no Java by {where}, expected version 17 or 21; {remedy}")
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{java}: found a Java that does not start ({error}); {remedy}") from None
    number = re.search(r'version "(\d+)', said.stderr + said.stdout)
    if number is None or int(number[1]) < _OLDEST_JAVA:
        found = number[1] if number else "of no known version"
        raise UsageError(f"{java}: found Java {found}, expected 17 or 21; {remedy}, and set JAVA_HOME to it")


def begin_session(
    master: str = "", *, partitions: int = 0, options: dict[str, str] | None = None, log: str = ""
) -> SparkSession:
    """A session with `OPTIONS`; one that runs already is used as it is.

    Args:
        master: where Spark runs; "" for what its own configuration says, else all cores of this machine.
        partitions: into how many parts the events are dealt; 0 leaves it to the session.
        options: of Spark's own, before those of `OPTIONS`.
        log: where what Spark and its workers say on standard error goes; "" leaves it there.

    Raises:
        UsageError: Java or a package is missing, or the master cannot be reached.
    """
    check_packages()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.appName("tidings")
    if not master and "SPARK_REMOTE" not in os.environ and "MASTER" not in os.environ:
        master = "local[*]"
    if master:
        builder = builder.master(_patient(master))
    for name, value in {**OPTIONS, **(options or {})}.items():
        builder = builder.config(name, value)
    if partitions:
        builder = builder.config("spark.sql.shuffle.partitions", str(partitions))
    try:
        with _standard_error_to(log):
            session = builder.getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise UsageError(
            f"found that Spark does not start ({_first_line(error)}); see --master and its own log"
        ) from None
    session.sparkContext.setLogLevel("OFF")
    # What it has to say when Java is gone are tracebacks; the query says it in a line.
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_not_of_py4j)  # which uses the root's logger, too
    accumulators = getattr(session.sparkContext, "_accumulatorServer", None)
    if accumulators is not None:
        accumulators.handle_error = lambda *request: None
    return session


def _patient(master: str) -> str:
    """The master; one of this machine tries again, as a cluster does, what failed because a worker died.

    >>> _patient("local[2]"), _patient("local"), _patient("local[2,1]"), _patient("spark://host:7077")
    ('local[2,4]', 'local[1,4]', 'local[2,1]', 'spark://host:7077')
    """
    if master == "local":
        return f"local[1,{_FAILURES}]"
    cores = re.fullmatch(r"local\[(\d+|\*)\]", master)
    return f"local[{cores[1]},{_FAILURES}]" if cores else master


@contextmanager
def _standard_error_to(path: str) -> Iterator[None]:
    """Let processes that are started now write their standard error to a file."""
    if not path:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(path, "ab") as file:  # noqa: PTH123
            os.dup2(file.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
