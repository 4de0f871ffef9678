"""What a feed is asked with again: the validators of its last answer, where HTTP can carry them back."""

from __future__ import annotations

from tests.sweeps import every
from tidings.sources.polling.manners import Answer, FeedState, Manners

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
