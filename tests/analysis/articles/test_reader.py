"""Articles read whole: kinds, entries, and what each sentence does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.analysis.articles.features import (
    FEATURES,
    KINDS,
    entry_start,
    explains,
    find_entries,
    find_kind,
    read_features,
)
from tidings.analysis.articles.reader import QUESTIONS, ArticleModel, find_speaker, shipped_reader
from tidings.analysis.articles.surfaces import Surfaces, plain
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, read_model
from tidings.core.records import Sentence

NOON = 1374840000  # Friday 26 July 2013, 12:00 UTC

REPORT = cases(__file__, "report")


def read(texts, title="", time=NOON):
    return shipped_reader().read(
        [Sentence("d", number, text, time, title=title) for number, text in enumerate(texts)]
    )


def value(texts, number):
    return read(texts).sentences[number].news_value


class TestSentences:
    def test_the_news_of_the_day_is_worth_more_than_what_surrounds_it(self):
        values = [one.news_value for one in read(REPORT).sentences]
        assert values[0] == max(values)
        assert values[0] > 0.6
        assert max(values[2:]) < 0.4

    def test_each_sentence_is_told_what_it_does(self):
        modes = [one.mode for one in read(REPORT).sentences]
        assert modes[:2] == ["states", "states"]
        assert modes[2] == "quotes"
        assert modes[5] == "asks"
        assert modes[6] in ("opines", "supposes")
        assert modes[7] == "none"

    def test_who_says_it(self):
        assert [one.speaker for one in read(REPORT).sentences][:3] == ["officials", "its owner", ""]

    def test_parts(self):
        parts = [one.part for one in read(REPORT).sentences]
        assert parts[0] == "lead"
        assert parts[2] == "quotation"
        assert parts[4] == "background"
        assert parts[7] == "links"

    def test_what_points_back_does_not_stand_alone(self):
        alone = [one.alone for one in read(REPORT).sentences]
        assert alone[0] > 0.5 > alone[3]

    def test_times_are_resolved_against_the_day_of_publication(self):
        times = [[time.value for time in one.times] for one in read(REPORT).sentences]
        assert times[0] == ["2013-07-26"]
        assert times[1] == ["2013-07-25"]
        assert times[4] == ["1994"]

    def test_text_behind_a_dateline_keeps_number_and_document(self):
        article = read(["LONDON (Reuters) - A ferry burnt on Friday.", "Twelve people died in it on Friday."])
        first = article.sentences[0]
        assert first.sentence.text == "A ferry burnt on Friday."
        assert first.start == len("LONDON (Reuters) - ")
        assert (first.sentence.doc_id, first.sentence.index) == ("d", 0)

    def test_a_title_that_the_text_repeats_is_cut(self):
        title = "Ferry burns off Spain"
        article = read([f"{title} A ferry burnt off Bilbao on Friday, killing twelve."], title=title)
        assert article.sentences[0].sentence.text == "A ferry burnt off Bilbao on Friday, killing twelve."

    @every(
        "title, text",
        cases(__file__, "a sentence that begins like its title is left whole"),
    )
    def test_a_sentence_that_begins_like_its_title_is_left_whole(self, title, text):
        assert read([text], title=title).sentences[0].sentence.text == text

    def test_where_titles_are_known_hardly_anything_else_is_cut(self):
        text = "Prime Minister Mariano Rajoy Brey will travel to Bilbao on Friday, his office said."
        assert read([text], title="Rajoy to visit Bilbao").sentences[0].start == 0

    def test_a_heading_on_a_line_of_its_own_is_cut_from_the_sentence_below_it(self):
        filler = [f"The ship is {number} metres long." for number in range(9)]
        article = read([*filler, "A second fire\nPolice said on Friday that another ferry burnt."])
        assert article.sentences[9].sentence.text == "Police said on Friday that another ferry burnt."
        wrapped = read(["The ferry that burnt on\nFriday killed twelve people, police\nsaid in Bilbao."])
        assert wrapped.starts == [0]
        assert read(["The ferry burnt off\nBilbao on Friday, police said.", "It has sunk."]).starts == [0, 0]

    def test_the_article_begins_with_its_dateline(self):
        caption = "Smoke rises from a ferry in the port of Bilbao as people watch it from the beach."
        lead = "BILBAO, Spain -- A ferry burnt off Bilbao on Friday, killing twelve people, police said."
        alone, behind = read([lead, *REPORT[1:4]]), read([caption, lead, *REPORT[1:4]])
        assert behind.unfit == {0}
        assert [one.part for one in behind.sentences[1:]] == [one.part for one in alone.sentences]
        place = FEATURES.index("place")
        assert behind.rows[1, place] == alone.rows[0, place] == 0

    @every(
        "texts, unfit",
        [
            (["A ship lays booms off Nador July 25 .", "AP Photo/Ann Walker The booms held, police said."], {0}),
            (["Workers lay booms.", "BP In its efforts to contain the oil, the company uses a funnel."], {0}),
            (["The court rejected it on Friday, opening the door to resumed drilli...", "It is final."], {0}),
            (["A ferry, left, burns BILBAO (AP) -- A ferry burnt off Bilbao on Friday, police said."], set()),
            (["A ferry burnt off Bilbao on Friday.", "Twelve people died in it on Friday."], set()),
            (["A ferry burnt off Bilbao on Friday.", "Here is what we know about the fire."], {1}),
        ],
    )  # fmt: skip
    def test_what_stands_beside_the_article_or_is_cut_short_is_unfit(self, texts, unfit):
        assert read(texts).unfit == unfit

    def test_what_nearly_certainly_has_a_headline_before_it_is_glued(self):
        evidence = "Dr Ruiz said evidence found on the ferry included a burnt cable."
        assert shipped_reader().is_glued(f"Ferry captain sought by police {evidence}")
        assert not shipped_reader().is_glued(evidence)
        assert not shipped_reader().is_glued(f"In a statement to the court, {evidence}")

    def test_a_title_is_no_caption_and_not_cut_short(self):
        title = "NEW: Ten people killed in an air strike on a market in Nador…"
        assert read([title, "Ten people were killed on Friday, police said."], title=title).unfit == set()

    def test_what_names_no_day_is_unfit_where_an_agency_tells_a_feature(self):
        feature = [
            "BILBAO, Spain (AP) -- Fire has long been what sailors on this coast fear most.",
            "The smallest boats are the greatest worry of those who must save them.",
            "Owners of ferries say they spend more on safety than they did.",
            "Few of them have new engines.",
            "Nobody has counted the boats.",
            "Two ferries burnt off Bilbao on Thursday, killing twelve people.",
        ]
        assert read(feature).unfit == {0, 1, 3, 4}
        assert read([feature[0], feature[5], *feature[1:5]]).unfit == set()
        assert read([feature[0].partition("-- ")[2], *feature[1:]]).unfit == set()

    @every(
        "title",
        [
            "Power cuts and queues: How the ferry fire changed Bilbao",
            "From the Quay to the Council, How the Ferry Fire Split Bilbao",
            "Takata Wins by a Landslide: What You Need to Know",
            "He Said It Would Take a Day. It Was Harder Than He Thought.",
            "The Port Promised Safer Ferries. Crews Say It’s Not Working.",
            "The Strike Has Ended. The Anger Has Not.",
            "Smoke. Sirens. A Night in Bilbao.",
            "Yes, ferries burn. No, this one did not sink.",
            "Ana Soler, Bilbao’s captain who wants to be mayor",
            "Juan de la Cruz, the engineer who may soon lead the port",
            "WATCH: Ferry burns off Bilbao",
            "Gallery | The ferry fire",
            "In pictures: Bilbao after the fire",
            "Ferry fire off Bilbao – video",
            "The ferry fire in pictures",
            "Analysis-Ports of Spain count their losses",
            "BREAKING: Why did the ferry burn?",
        ],
    )
    def test_a_title_that_explains_or_only_shows(self, title):
        assert explains(title)

    @every(
        "title",
        [
            "Bilbao: Ferry fire kills 12",
            "Envoys Know What They Want From the U.S.",
            "J.D. Soler Is Booed as a Poll Turns Against the U.S.",
            "Twelve dead in ferry fire. Two arrested",
            "Twelve passengers are missing after a ferry fire off Bilbao. Others face weeks in hospital.",
            "Ferry sinks off Bilbao. Coast guard rescues 40.",
            "Ferry sinks off Bilbao. It was carrying 40 people.",
            "Ferry sinks off Bilbao. No survivors were found.",
            "Gov. Soler closes the port.",
            "Ana Soler, the captain who saved 40, dies at 95",
            "Police arrest Ana Soler, the captain who left the ferry",
            "Inquiry is to find out when, how and why the ferry burnt",
            "Letter-bomb kills two in Bilbao",
            "Live-fire drill starts a blaze off Bilbao",
            "Video-sharing site is banned in Spain",
            "Breaking: Ferry burns off Bilbao",
            "Live: what the officials say",
        ],
    )
    def test_a_title_that_is_news(self, title):
        assert not explains(title)

    @every(
        "label",
        ["BREAKING: ", "Breaking news | ", "JUST IN - ", "NEW: ", "Exclusive: ", "UPDATE 2-", "LIVE: "],
    )
    def test_a_label_before_news_is_cut(self, label):
        title = "Ferry burns off the port of Bilbao"
        labelled = f"{label}{title}"
        assert read([labelled, "It had left on Friday."], title=labelled).cut[0].text == title

    @every(
        "title", ["New ferry burns off Bilbao", "Breaking waves hit Bilbao", "Alert captain saves 40: police"]
    )
    def test_a_word_that_is_no_label_is_kept(self, title):
        assert read([title, "It had left on Friday."], title=title).cut[0].text == title

    def test_a_live_blog_comments_no_more_than_a_report(self):
        blog = "https://example.org/world/blog/2013/jul/26/ferry-fire"
        assert explains("Ferry fire off Bilbao", blog)
        assert not explains("Ferry fire off Bilbao", f"{blog}-live")

    def test_a_flash_that_names_no_day_is_news(self):
        flash = "BILBAO, Spain (AP) -- A ferry has caught fire off the coast."
        assert read([flash]).unfit == set()
        assert read([flash, "It has sunk.", "Boats are near.", "Helicopters too."]).unfit == set()
        assert read([flash, "Fire was feared here already in 1994."]).unfit == {0, 1}

    def test_tomorrow_in_another_zone_is_a_day_of_news(self):
        report = "BILBAO, Spain (AP) -- A ferry has caught fire here on {day} morning, killing twelve people."
        assert read([report.format(day="Saturday"), "It has sunk since."]).unfit == set()  # of Friday in UTC
        assert read([report.format(day="Monday"), "It has sunk since."]).unfit == {0, 1}

    def test_tokenised_and_plain_texts_are_read_alike(self):
        stored = "`` We saw smoke , '' he said -LRB- on Friday -RRB- , `` and could n't breathe . ''"
        assert plain(stored) == '"We saw smoke," he said (on Friday), "and couldn\'t breathe."'
        own, tokenised = Surfaces([plain(stored), stored]).rows.tolist()
        assert own == tokenised


class TestOddArticles:
    @every(
        "texts",
        [
            [""],
            ["   "],
            ["A FERRY CAUGHT FIRE OFF THE COAST ON FRIDAY, KILLING AT LEAST 12 PEOPLE, OFFICIALS SAID."],
            ["\udc80\ud800 \x00"],
            ["1 2 3 4 5 6 7 8"],
            ["العبارة تحترق في الميناء"],
            ["word " * 5_000],
            ["'" * 3_000],
            ["( " * 2_000],
            ["A" * 50_000],
        ],
    )
    def test_sensible_answers(self, texts):
        article = read(texts)
        assert len(article.sentences) == len(texts)
        assert article.kind in KINDS
        for one in article.sentences:
            for question in QUESTIONS:
                assert 0.0 <= getattr(one, question) <= 1.0

    def test_no_sentence(self):
        assert shipped_reader().read([]).sentences == []

    def test_dates_in_the_future_are_a_plan(self):
        plan = "The ferry will be raised from the sea on Monday, officials said."
        assert value([plan], 0) < value([REPORT[0]], 0)

    @given(st.lists(st.text(max_size=80), min_size=1, max_size=6), st.integers(0, 4_000_000_000))
    def test_any_text(self, texts, time):
        article = read(texts, time=time)
        assert [one.sentence.index for one in article.sentences] == list(range(len(texts)))
        for text, one in zip(texts, article.sentences, strict=True):
            assert text[one.start :] == one.sentence.text


class TestKinds:
    def test_a_live_blog_and_its_entries(self):
        entries = [f"1{hour}:05 GMT Police said on Friday that {hour} people died." for hour in range(8)]
        texts = ["As it happened: ferry fire.", *entries, "They were on deck."]
        article = read(texts)
        assert article.kind == "live blog"
        assert find_entries(texts) == list(range(9))
        assert article.sentences[3].sentence.text == "Police said on Friday that 2 people died."

    def test_an_entry_is_a_document_of_its_own(self):
        """The first sentence of an entry is read as a first sentence; the same one further down a report is not."""
        news = "A second ferry caught fire on Friday, killing 3 people, police said."
        filler = [f"The ship is {number} metres long and was built in Spain." for number in range(40)]
        plain_report = read([*filler, news]).sentences[-1]
        blog = [text for number in range(40) for text in (f"10:{number + 10} {filler[number]}",)]
        entry = read([*blog, f"11:55 {news}"]).sentences[-1]
        place = FEATURES.index("place")
        assert entry.news_value > plain_report.news_value
        assert shipped_reader().rows([Sentence("d", n, t, NOON) for n, t in enumerate(blog)])[7, place] == 0

    @every(
        "texts, kind",
        [
            (REPORT[:4] * 3, "report"),
            (["I think you are all wrong about this, it was my fault!"] * 30, "comments"),
            (["What happened to the ferry?", "It burnt for two days."] * 6, "explainer"),
            (["JOHN SMITH: It burnt for two days.", "MARY JONES: So it did, they say."] * 6, "transcript"),
            (["bcdf ghj klmn pqrs tvw xz bcdf ghj."] * 9, "other"),
            ([], "other"),
        ],
    )
    def test_kinds(self, texts, kind):
        assert find_kind(Surfaces(texts)) == kind

    @every(
        "text, length",
        cases(__file__, "times of entries"),
    )
    def test_times_of_entries(self, text, length):
        assert entry_start(text) == length

    def test_a_few_times_make_no_live_blog(self):
        assert find_entries(["10:05 Police say so."] * 3 + ["And so on."] * 3) == [0]
        assert find_entries(["10:05 Police say so."] * 4 + ["And so on."] * 80) == [0]


class TestFeatures:
    def test_columns_have_their_names(self):
        from datetime import date

        texts = ["Is he there?", "I left, but 12 people stayed."]
        rows = read_features(Surfaces(texts), [[], []], date(2013, 7, 26))
        by_name = [dict(zip(FEATURES, row, strict=True)) for row in rows.tolist()]
        assert by_name[0]["asks"] == 1
        assert by_name[0]["first"] == 1
        assert by_name[1]["first"] == 0
        assert by_name[1]["after_question"] == 1
        assert by_name[1]["first_person"] == 1
        assert by_name[1]["any_number"] == 1
        assert by_name[1]["document_questions"] == 0.5
        assert by_name[1]["words"] == 6

    def test_sentences_inside_a_quotation_are_known(self):
        from datetime import date

        texts = ['"It burnt for days.', "Nobody came.", 'Then they did," he said.', "He left."]
        rows = read_features(Surfaces(texts), [[]] * 4, date(2013, 7, 26))
        assert rows[:, FEATURES.index("inside_quote")].tolist() == [0, 1, 1, 0]


class TestModel:
    def test_the_model_of_another_version_is_refused(self):
        model = read_model("articles")
        other = Model(
            card=model.card, arrays=model.arrays, settings={**model.settings, "features": ["words"]}
        )
        with pytest.raises(UsageError, match="weighs other features"):
            ArticleModel.of(other)

    def test_answers_are_the_mean_of_both_learners(self):
        made = ArticleModel.of(read_model("articles"))
        rows = np.zeros((2, len(FEATURES)), dtype=np.float32)
        answers = made.answer(rows)
        assert answers.shape == (2, len(QUESTIONS))
        linear = (-made.mean / made.scale) @ made.weights.T + made.biases
        boosted = np.array([trees.predict(rows[:1])[0] for trees in made.trees])
        expected = (1 / (1 + np.exp(-linear)) + 1 / (1 + np.exp(-boosted))) / 2
        assert answers[0] == pytest.approx(expected, rel=1e-4)


@every(
    "text, speaker",
    cases(__file__, "sources"),
)
def test_sources(text, speaker):
    assert find_speaker(text) == speaker


@given(st.text(max_size=400))
def test_any_text(text):
    assert len(find_speaker(text)) <= 1_000


@every("text", ["the " * 400, "A " * 500, "of " * 400 + "said", "a-b " * 300 + ", said"])
def test_hostile_repetition_ends(text):
    assert isinstance(find_speaker(text), str)
