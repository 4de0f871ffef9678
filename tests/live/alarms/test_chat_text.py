"""What a feed says reaches chat services as plain text: it calls nobody, hides no address and is no markup."""

from __future__ import annotations

import sys
import threading
from types import ModuleType

import pytest

from tests.sweeps import every
from tidings.live.alarms import senders as chat

TEXT = "Fire <5 & @everyone <!channel> <@123> <http://evil.example|Bank> [click](http://evil.example/@a)"
HTML = "&lt;5 &amp; @\u200beveryone &lt;!channel&gt;"
MARKED = "<\u200b5 & @\u200beveryone <\u200b!channel> <\u200b@\u200b123>"
SLACK = MARKED.replace(">", "\u203a")


@every(
    "address, expected",
    [
        ("tgram://123:abc/1", HTML),
        ("slack://a/b/c", SLACK),
        ("slack://a/b/c?format=markdown", SLACK),
        ("matrix://u:p@chat.example.org/#a?format=html", HTML),
        ("discord://1/a", MARKED),
        ("mmosts://chat.example.org/a", MARKED),
        ("gchat://a/b/c", MARKED),
        ("tgram://123:abc/1?format=markdown", MARKED),
    ],
)
def test_text_is_sent_as_plain_text(monkeypatch: pytest.MonkeyPatch, address: str, expected: str) -> None:
    sent: list[str] = []

    class Plugin:
        def notify(self, *, title: str, body: str) -> bool:
            assert threading.current_thread() is threading.main_thread(), (
                "else no connection would be checked"
            )
            sent.extend((title, body))
            return True

    module = ModuleType("apprise")
    module.Apprise = type("Apprise", (), {"instantiate": staticmethod(lambda url: Plugin())})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "apprise", module)
    monkeypatch.setattr(chat, "find_spec", lambda name: module)
    chat.send_chat(address, TEXT, TEXT)
    for said in sent:
        assert expected in said
        assert "]\u200b(http://evil.example/%40a)" in said
        assert "@everyone" not in said and "<!" not in said and "<@" not in said and "<http" not in said
