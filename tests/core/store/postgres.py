"""A PostgreSQL server of one's own for tests, trials and benchmarks, on a socket in a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["NoServerError", "server_of_its_own"]


class NoServerError(Exception):
    """No server can be started here, and why."""


@contextmanager
def server_of_its_own(*, durable: bool) -> Iterator[str]:
    """The address of an empty server, until the end of the `with`.

    `durable` says whether it waits for the disk, as servers do that people work with; without it, it is quicker.
    Raises NoServerError where PostgreSQL is not installed (scripts/install_postgres.sh does) or cannot run.
    """
    program = _program()
    # initdb refuses root: then run as `postgres`, which is made with the server's package.
    other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    # Not in pytest's own folder: each pytest that starts closes that one to all other users, and the server's with it.
    folder = Path(tempfile.mkdtemp(prefix="tidings-pg-"))
    try:
        _open_to(folder, other)
        data = folder / "data"
        made = subprocess.run(
            [*other, program / "initdb", "-D", data, "-A", "trust", "-U", "tidings", "--no-sync"],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
        )
        if made.returncode:
            raise NoServerError(f"no PostgreSQL server can be made here: {made.stderr.strip()[-200:]}")
        options = ["-c", "listen_addresses=", "-c", f"fsync={'on' if durable else 'off'}"]
        server = subprocess.Popen(
            [*other, program / "postgres", "-D", data, "-k", folder, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        try:
            url = f"postgresql://tidings@/postgres?host={folder}"
            _await(url)
            yield url
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _program() -> Path:
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin")]
    servers = [place for place in places if (place / "initdb").exists() and (place / "postgres").exists()]
    if not servers:
        raise NoServerError("no PostgreSQL server is installed (apt-get install postgresql)")
    return servers[0]


def _open_to(folder: Path, other: list[str]) -> None:
    if not other:
        return
    shutil.chown(folder, "postgres", "postgres")
    for parent in folder.parents:
        if parent.owner() == "root" and parent != Path("/") and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)


def _await(url: str) -> None:
    import psycopg

    for _ in range(300):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:  # it is starting up
            time.sleep(0.1)
        else:
            return
    raise NoServerError("the PostgreSQL server did not start")
