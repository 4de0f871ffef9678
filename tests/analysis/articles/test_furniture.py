"""What stands before an article or beside it: credits, captions, datelines, and sentences that a page cuts short."""

from __future__ import annotations

from datetime import date

from tests.sweeps import cases, every
from tidings.analysis.articles.furniture import (
    dateline_end,
    furniture_end,
    is_caption,
    is_credited,
    is_cut_short,
    loose_credit_end,
    points_to_page,
)

PUBLISHED = date(2010, 6, 1)


@every("text", cases(__file__, "a sentence describes a picture"))
def test_a_sentence_describes_a_picture(text):
    assert is_caption(text, published=PUBLISHED)


@every("text", cases(__file__, "a sentence describes no picture"))
def test_a_sentence_describes_no_picture(text):
    assert not is_caption(text, published=PUBLISHED)


def test_a_date_in_the_present_makes_a_caption_only_when_it_is_past():
    text = "The court of Louisiana hears both sides in New Orleans on May 8 ."
    assert is_caption(text, published=date(2010, 5, 9))
    assert not is_caption(text, published=date(2010, 5, 7))
    assert not is_caption(text)


@every("stamp, published", cases(__file__, "the date and time of a page"))
def test_the_date_of_a_page_and_what_stands_before_it_are_cut(stamp, published):
    text = f"Ferry burns in Bilbao {stamp} A ferry burnt off the coast , officials said ."
    end, _ = furniture_end(text, published=date.fromisoformat(published))
    assert text[end:].startswith("A ferry burnt")


@every("text", cases(__file__, "a date that a sentence tells of"))
def test_a_date_that_a_sentence_tells_of_is_none_of_the_page(text):
    assert furniture_end(text, published=date(2013, 5, 2)) == (0, False)


@every("text, credited", cases(__file__, "the credit of a picture shows that a caption stood before"))
def test_the_credit_of_a_picture_shows_that_a_caption_stood_before(text, credited):
    assert is_credited(text) is credited


def test_a_dateline_of_any_outlet_begins_the_article():
    caption = "Workers lay booms on the beach ."
    assert dateline_end([caption, "NEW ORLEANS -- Oil came ashore on Friday ."]) == (1, 15)
    assert dateline_end([caption, "AP BILOXI , Mississippi -- Oil came ashore on Friday ."]) == (1, 27)
    assert dateline_end([caption, "BP JUNEAU , Alaska -- The company stopped its work ."]) == (1, 22)
    assert dateline_end([caption, "OCEAN SPRINGS , Miss.", "-- The firm has been paid so far ."]) == (2, 3)
    assert dateline_end([caption, "The oil came ashore -- on Friday , the coast guard said ."]) == (0, 0)


def test_a_credit_that_only_its_place_makes_one():
    assert loose_credit_end("BP BP 's account fell to hackers on Thursday .") == 3
    assert loose_credit_end("AP Homeland Security Secretary Ann Walker spoke on Friday .") == 3
    assert loose_credit_end("NASA Goddard The fund promised to be more open .") == 13
    assert not loose_credit_end("US In talks with the company .")
    assert not loose_credit_end("AFP Commissioner Ann Walker said so on Friday .")
    assert not loose_credit_end("BP PLC has agreed to pay .")
    assert not loose_credit_end("NSW Police said the gunman was dead .")


@every(
    "text, points",
    [
        ("These are the key developments from day 1,452 of the war.", True),
        ("Here is what we know about the ferry fire.", True),
        ("Here’s a look at the ferry fire.", True),
        ("You can read a full account of the ferry fire here.", True),
        ("Ana Ruiz has written a full account of this morning's hearing here.", True),
        ("Here in Bilbao, people watched the ferry burn on Friday.", False),
        ("These are hard days for Bilbao, the mayor said.", False),
        ("Officials read the names of the dead before a ferry that lies here was moved.", False),
        ("Ana Ruiz has written a letter to the mayor.", False),
    ],
)
def test_a_sentence_that_points_to_its_page_is_no_news(text, points):
    assert points_to_page(text) is points


def test_a_sentence_that_ends_with_an_ellipsis_is_cut_short():
    assert is_cut_short(
        "The court rejected the effort to restore it , opening the door to resumed drilli ..."
    )
    assert is_cut_short("Negotiators met in Geneva on Tuesday, with Washington pressing Kyiv to act…")
    assert is_cut_short("The court rejected the effort , opening the door to resumed drilli ..")
    assert not is_cut_short("Negotiators met in Geneva on Tuesday.")
    assert not is_cut_short("Claims were filed for damages from Acme PLC..")
