"""Where mail is handed in: never at addresses of the link alone, where clouds keep secrets."""

from __future__ import annotations

import pytest

from tidings.live.alarms.senders import NotDeliveredError, public_addresses


@pytest.mark.parametrize("host", ["169.254.169.254", "fe80::1", "::ffff:169.254.169.254"])
@pytest.mark.parametrize("allow_private", [True, False])
def test_the_link_alone_is_never_asked(host: str, allow_private: bool) -> None:
    with pytest.raises(NotDeliveredError, match="link alone" if allow_private else "public internet"):
        public_addresses(host, 25, allow_private=allow_private)


def test_a_private_server_is_asked_where_that_is_allowed() -> None:
    assert public_addresses("127.0.0.1", 25, allow_private=True) == ["127.0.0.1"]
    with pytest.raises(NotDeliveredError, match="allow-private-webhooks"):
        public_addresses("127.0.0.1", 25, allow_private=False)
