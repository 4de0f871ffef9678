"""`tidings mcp`, asked by the SDK's own client: what is followed as tools and resources."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.live.pages.followed import santiago, site
from tidings.live.marks import marks_in_effect
from tidings.live.verbs.mcp import make_server

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")


async def answers(server: Any, *asked: tuple[str, dict[str, Any]]) -> list[Any]:
    """What the tools answer, as plain values; a message of an error is a string."""
    async with mcp.Client(server) as client:
        found = []
        for name, arguments in asked:
            result = await client.call_tool(name, arguments)
            texts = [part.text for part in result.content]
            if result.is_error:
                found.append("".join(texts))
            else:
                said = result.structured_content
                found.append(said["result"] if set(said) == {"result"} else said)
        return found


def test_tools_answer_what_pages_show(tmp_path: Path) -> None:
    standing = santiago("tidings:values=yes", "10/day")
    name = standing.event.id
    with site(str(tmp_path / "live.db"), standing) as (live, _):
        events, updates, figures, found, missed, left, unknown = asyncio.run(
            answers(
                make_server(live),
                ("events", {}),
                ("updates", {"event": name, "limit": 3}),
                ("figures", {"event": name}),
                ("search", {"words": "train"}),
                ("missed", {"hours": 24}),
                ("left_out", {"event": name, "reason": "background"}),
                ("updates", {"event": "none"}),
            )
        )
        told = live.outputs.latest(event_id=name, kinds=["update"], limit=3)[::-1]
        assert [one["event"] for one in events] == [name]
        assert [one["text"] for one in updates] == [one.output.text for one in told]
        assert any("dead" in one["words"] and one["evidence"] for one in figures)
        assert found and all("train" in (one["text"] + one.get("title", "")).lower() for one in found)
        assert missed["updates"] >= len(missed["items"]) > 0
        assert {one["reason"] for one in left["items"]} == {"background"}
        assert "No event 'none' here" in unknown


def test_only_who_may_write_is_offered_a_mark(tmp_path: Path) -> None:
    standing = santiago("tidings", "10/day")
    name = standing.event.id
    with site(str(tmp_path / "live.db"), standing) as (live, _):
        sentence = live.outputs.ledger(name).sentences[-1].id
        asked = ("should_have_been_told", {"event": name, "sentence": sentence})
        assert "nknown tool" in asyncio.run(answers(make_server(live), asked))[0]
        assert marks_in_effect(live.events.log()) == {}
        asyncio.run(answers(make_server(live, writes=True), asked))
        assert marks_in_effect(live.events.log())[name][sentence].mark == "wanted"


def test_a_client_starts_the_command_and_reads_a_resource(tmp_path: Path) -> None:
    standing, store = santiago("cosine"), str(tmp_path / "live.db")
    with site(store, standing, count=5):
        pass
    command = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "tidings", "mcp", "--store", store]
    )

    async def read() -> list[Any]:
        async with mcp.Client(command) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"events", "updates", "figures", "search", "missed", "left_out"}
            return json.loads((await client.read_resource("tidings://events")).contents[0].text)

    assert [one["event"] for one in asyncio.run(read())] == [standing.event.id]
