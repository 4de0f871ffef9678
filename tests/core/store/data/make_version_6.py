"""How version-6.db was made: by the code of commit 318e3a4, the last that wrote stores of version 6.

    git worktree add /tmp/318e3a4 318e3a4
    PYTHONPATH=/tmp/318e3a4/src python tests/core/store/data/make_version_6.py tests/store/data

It holds a desk with one project, who leads it, and an assessor with a password.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from tidings.annotation.desk.team import Actor, take_in
from tidings.annotation.store import Desk
from tidings.core.store import open_store

store_file = Path(sys.argv[1]) / "version-6.db"
store_file.unlink(missing_ok=True)
with open_store(str(store_file)) as store:
    desk = Desk(store)
    project = desk.projects.add("storm")
    lead = desk.accounts.add("lead", "hash")
    desk.projects.set_member(project.id, lead.id, "lead")
    account, token = take_in(desk, project, Actor(lead.id), "assessor", "assessor")
    desk.accounts.accept(token, "hash")

with sqlite3.connect(store_file) as connection:
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("VACUUM")
