"""What stands at an address, fetched once; and what a feed is asked with again, where HTTP can carry it back."""

from __future__ import annotations

import pytest

from tests.sources.polling.servers import Reply, serving
from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.sources.polling.manners import Answer, FeedState, Manners
from tidings.sources.polling.once import fetch


class TestOnce:
    def test_what_stands_there(self) -> None:
        def answer(asked):
            if asked.path == "/old":
                return Reply(301, headers={"location": "/new"})
            return Reply(body=b"<rss/>", headers={"content-type": "text/xml"})

        with serving(answer) as served:
            content = fetch(served.url("/old"), allow_private=True)
        assert (content.read(), content.url, content.content_type) == (
            b"<rss/>",
            served.url("/new"),
            "text/xml",
        )

    @every(
        "reply, problem",
        [(Reply(404), "an answer 404"), (Reply(302, headers={"location": "/feed"}), "redirects without end")],
    )
    def test_nothing(self, reply: Reply, problem: str) -> None:
        with (
            serving(lambda asked: reply) as served,
            pytest.raises(UsageError, match=f"nothing .{problem}"),
        ):
            fetch(served.url("/feed"), allow_private=True)

    def test_a_private_address(self) -> None:
        with pytest.raises(UsageError, match="not on the public internet"):
            fetch("http://127.0.0.1:1/feed")


URL = "https://a.example/feed"


@every("broken", ['"café"', "été", '"a\tb"', '"a\x00"', '"cut off '])
def test_a_validator_that_cannot_be_sent_is_not_kept(broken: str) -> None:
    manners, plain = Manners(), '"a"'
    answer = Answer(status=200, headers={"etag": broken, "last-modified": broken})
    feed = manners.answered(FeedState(), URL, answer, now=0)
    assert (feed.etag, feed.modified) == ("", "")
    both = manners.answered(
        FeedState(), URL, Answer(status=200, headers={"etag": plain, "last-modified": broken}), now=0
    )
    assert (both.etag, both.modified) == (plain, "")
    # One that was kept before is dropped with the first failure, and the feed answers again.
    failed = manners.answered(
        FeedState(etag=broken, modified=plain), URL, Answer(status=0, error="no"), now=0
    )
    assert (failed.etag, failed.modified) == ("", plain)
    unchanged = manners.answered(FeedState(etag=plain, modified=broken), URL, Answer(status=304), now=0)
    assert (unchanged.etag, unchanged.modified) == (plain, "")
