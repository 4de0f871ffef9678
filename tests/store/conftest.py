"""Stores to test with: SQLite always, PostgreSQL where a server can be started."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def sqlite_store(tmp_path: Path) -> str:
    return str(tmp_path / "store.db")


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """A PostgreSQL server of its own, on a socket in a temporary folder; skips, saying so, without one."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install tidings[postgres])")
    programs = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr/local/bin").parent.glob("bin")]
    servers = [
        folder for folder in programs if (folder / "initdb").exists() and (folder / "postgres").exists()
    ]
    if not servers:
        pytest.skip("no PostgreSQL server is installed (apt-get install postgresql)")
    # initdb refuses root: then run as `postgres`, which is made with the server's package.
    as_other = (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    )
    # Not in pytest's own folder: each pytest that starts closes that one to all other users, and the server's with it.
    folder = Path(tempfile.mkdtemp(prefix="tidings-pg-"))
    request.addfinalizer(lambda: shutil.rmtree(folder, ignore_errors=True))
    if as_other:
        shutil.chown(folder, "postgres", "postgres")
        for parent in folder.parents:
            if parent.owner() == "root" and parent != Path("/") and not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o011)
    data, program = folder / "data", servers[-1]
    made = subprocess.run(
        [*as_other, program / "initdb", "-D", data, "-A", "trust", "-U", "tidings", "--no-sync"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    if made.returncode:
        pytest.skip(f"no PostgreSQL server can be made here: {made.stderr.strip()[-200:]}")
    server = subprocess.Popen(
        [
            *as_other,
            program / "postgres",
            "-D",
            data,
            "-k",
            folder,
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
    )
    try:
        _await(f"postgresql://tidings@/postgres?host={folder}")
        yield f"postgresql://tidings@/postgres?host={folder}"
    finally:
        server.terminate()
        server.wait()


def _await(server: str) -> None:
    import psycopg

    for _ in range(300):
        try:
            psycopg.connect(server).close()
        except psycopg.OperationalError:  # it is starting up
            time.sleep(0.1)
        else:
            return
    pytest.fail("the PostgreSQL server did not start")


@pytest.fixture
def postgres_store(postgres_server: str) -> str:
    """An empty database."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres_server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def any_store(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"{request.param}_store"))
