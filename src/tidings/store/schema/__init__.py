"""The tables of a store as they are now, the same in SQLite and PostgreSQL.

They are made by the migrations, and by nothing else; these definitions are for asking and writing.
A test holds them against what the migrations make. Each row but those of `meta` ends with its digest.
"""

from tidings.store.schema.desk import (
    desk_accounts,
    desk_assignments,
    desk_claims,
    desk_failures,
    desk_invitations,
    desk_items,
    desk_log,
    desk_members,
    desk_objects,
    desk_projects,
    desk_sessions,
    desk_topics,
)
from tidings.store.schema.following import (
    events,
    follower_states,
    inbox_feeds,
    inbox_fresh,
    inbox_hosts,
    inbox_items,
    inbox_memory,
    inbox_waiting,
    inboxes,
    judge_answers,
    late_documents,
    meta,
    outputs,
    positions,
    runs,
    tables,
)

__all__ = [
    "desk_accounts",
    "desk_assignments",
    "desk_claims",
    "desk_failures",
    "desk_invitations",
    "desk_items",
    "desk_log",
    "desk_members",
    "desk_objects",
    "desk_projects",
    "desk_sessions",
    "desk_topics",
    "events",
    "follower_states",
    "inbox_feeds",
    "inbox_fresh",
    "inbox_hosts",
    "inbox_items",
    "inbox_memory",
    "inbox_waiting",
    "inboxes",
    "judge_answers",
    "late_documents",
    "meta",
    "outputs",
    "positions",
    "runs",
    "tables",
]
