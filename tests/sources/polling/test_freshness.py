"""What status and headers say about when to ask again, case by case."""

from __future__ import annotations

import pytest

from tidings.sources.polling.manners import LONGEST_FRESH_S, LONGEST_RETRY_S, fresh_until, retry_after

NOW = 1_700_000_000
DATE = "Tue, 14 Nov 2023 10:00:00 GMT"  # the server's clock is wrong by hours
LATER = "Tue, 14 Nov 2023 10:20:00 GMT"

RETRY = {
    "nothing": ({}, None),
    "seconds": ({"retry-after": "120"}, 120),
    "seconds with a fraction": ({"retry-after": "120.9"}, 120),
    "blanks": ({"retry-after": "  120 "}, 120),
    "none at all": ({"retry-after": "0"}, 0),
    "less than none": ({"retry-after": "-5"}, None),
    "a date by the server's clock": ({"retry-after": LATER, "date": DATE}, 1200),
    "a date that is over": ({"retry-after": DATE, "date": LATER}, 0),
    "a date without the server's": ({"retry-after": "Tue, 14 Nov 2023 23:13:20 GMT"}, 3600),
    "excessive": ({"retry-after": "99999999999999999999"}, LONGEST_RETRY_S),
    "an excessive date": ({"retry-after": "Tue, 14 Nov 9999 10:00:00 GMT", "date": DATE}, LONGEST_RETRY_S),
    "words": ({"retry-after": "tomorrow"}, None),
    "digits of another script": ({"retry-after": "١٢٠"}, None),
    "a date that is none": ({"retry-after": "Tue, 99 Nov 2023 10:00:00 GMT"}, None),
}

FRESH = {
    "nothing": ({}, 0),
    "max-age": ({"cache-control": "public, max-age=600"}, 600),
    "max-age in capitals and quotes": ({"cache-control": 'Public, MAX-AGE="600"'}, 600),
    "max-age, some of it over": ({"cache-control": "max-age=600", "age": "100"}, 500),
    "max-age, all of it over": ({"cache-control": "max-age=600", "age": "1000"}, 0),
    "max-age and no-cache": ({"cache-control": "max-age=600, no-cache"}, 0),
    "max-age and no-store": ({"cache-control": "no-store, max-age=600"}, 0),
    "no-cache before Expires": ({"cache-control": "no-cache", "expires": LATER, "date": DATE}, 0),
    "max-age that is no number": ({"cache-control": "max-age=soon"}, 0),
    "max-age before Expires": ({"cache-control": "max-age=60", "expires": LATER, "date": DATE}, 60),
    "s-maxage is for others": ({"cache-control": "s-maxage=600"}, 0),
    "Expires by the server's clock": ({"expires": LATER, "date": DATE}, 1200),
    "Expires that is over": ({"expires": DATE, "date": LATER}, 0),
    "Expires of nought": ({"expires": "0"}, 0),
    "excessive": ({"cache-control": "max-age=31536000"}, LONGEST_FRESH_S),
}


@pytest.mark.parametrize("case", RETRY)
def test_retry_after(case: str) -> None:
    headers, seconds = RETRY[case]
    assert retry_after(headers, NOW) == (None if seconds is None else NOW + seconds)


@pytest.mark.parametrize("case", FRESH)
def test_fresh_until(case: str) -> None:
    headers, seconds = FRESH[case]
    assert fresh_until(headers, NOW) == NOW + seconds
