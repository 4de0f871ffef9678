"""The system `tidings` and its follower, which may ask a judge from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import force_setattr

from tidings.analysis import ArticleReader, as_written, chat_url, explains, label_end, tells_an_end
from tidings.core import (
    AnswerBook,
    Document,
    Event,
    Interest,
    Model,
    ModelCard,
    Sentence,
    Update,
    UsageError,
    parse_duration,
    prepare,
    read_model,
)
from tidings.following.systems.base import SystemBase, Understood, check_language
from tidings.following.systems.changed_numbers import EmittedNumbers
from tidings.following.systems.emitted_claims import EmittedClaims
from tidings.following.systems.scoring_follower import ScoringFollower
from tidings.following.systems.stages import UNLIMITED, Surroundings
from tidings.following.systems.tidings.article_words import ArticleWords, WordsState, no_words
from tidings.following.systems.tidings.asking import Asking
from tidings.following.systems.tidings.candidates import (
    ArticleCandidate,
    Limits,
    Waiting,
    Wording,
    is_title,
    main_first,
    title_first,
)
from tidings.following.systems.tidings.feature_state import FeatureState
from tidings.following.systems.tidings.model import (
    TIDINGS_FEATURES,
    AdditiveModel,
    ArticleDecision,
    log_odds,
    stem_weights,
)
from tidings.following.systems.tidings.query_forms import compounds
from tidings.following.systems.tidings.query_words import check_terms, read_terms
from tidings.following.systems.tidings.text_features import RARE, ReadDocument, TextReader

if TYPE_CHECKING:
    from tidings.analysis import NewsJudge
    from tidings.following.systems.pace.gate import PaceGate


class AskingFollower(ScoringFollower):
    """A follower that decides by a judge's word, once it has one (`_begin_asking`) and as long as questions are left.

    A child asks `_decides` of each candidate, with how far its worth is above the level.
    """

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self._asking: Asking | None = None

    def _is_near(self, excess: float) -> bool:
        """Whether the judge is to be asked about a candidate so far above or below the level."""
        asking = self._asking
        return asking is not None and self._pace is None and self._left.updates > 0 and asking.is_near(excess)

    def _decides(self, sentence: Sentence, excess: float, own: bool) -> bool:
        """Whether to tell a candidate: by the judge's word near the level, else `own`; not asked at a pace."""
        if self._asking is None or not self._is_near(excess) or self._is_said(sentence):
            return own
        self._changed()
        return self._asking.is_news(sentence, own)

    def _approves(self, sentence: Sentence) -> bool:
        if self._asking is None or self._left.updates <= 0:
            return True
        self._changed()
        return self._asking.is_news(sentence, True)

    def _tell(self, sentence: Sentence, now: int, confidence: float) -> Update:
        update = super()._tell(sentence, now, confidence)
        if self._asking is not None:
            self._asking.note(now, sentence.text)
        return update


def check_judge(judge: str, model: str) -> None:
    """Raise UsageError unless `judge` is an address, and `model` the name of a model there."""
    chat_url(judge)
    if not model:
        raise UsageError(f"judge={judge} without a model (expected model=NAME, as the server calls it)")
    if model.endswith(".safetensors") or Path(model).is_file():
        raise UsageError(
            f"the file {model} as the model of judge={judge} (expected the name that the server gives its model); "
            "beside a judge the weights that come along decide"
        )


class Tidings(SystemBase, frozen=True, kw_only=True):
    """Emits a sentence if what it adds is worth the words it takes, as learned from judged events.

    Each sentence is decided on at once, by 32 features (`tidings.following.systems.tidings.feature_state`): how it
    looks, how it fits the query, how it fits what the stream has said of the event so far (a memory that grows with the
    event), and how much of it was emitted already. Their learned sum estimates by how much the event's H rises if it is
    emitted (`tidings.following.systems.tidings.model`). A text that was considered once is not considered
    again, and a document that holds too little of the query in each of its sentences is passed over.
    """

    name: ClassVar[str] = "tidings"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = "tidings itself; measures of TREC Temporal Summarization as the aim of learning"

    model: str = ""
    level: float = 0.0
    articles: str = ""
    article_level: Annotated[float, Meta(ge=0, le=1)] = 0.7
    per_article: Annotated[int, Meta(ge=1)] = 2
    wait: str = ""
    story_terms: str = ""
    min_words: Annotated[int, Meta(ge=1)] = 4
    max_words: Annotated[int, Meta(ge=1)] = 25
    memory: Annotated[int, Meta(ge=8, le=4096)] = 512
    max_kept: Annotated[int, Meta(ge=1)] = 200
    max_sentences: Annotated[int, Meta(ge=1)] = 2_000
    language: str = "english"
    judge: str = ""
    calls: Annotated[int, Meta(ge=0)] = 200
    band: Annotated[float, Meta(ge=0)] = 0.06
    judge_timeout: Annotated[float, Meta(gt=0)] = 20.0

    def __post_init__(self) -> None:
        check_language(self.language)
        if self.judge:
            check_judge(self.judge, self.model)
        if self.wait and not parse_duration(self.wait, "wait"):
            force_setattr(self, "wait", "")  # a wait of nothing is none
        check_terms(self.story_terms, self.language)

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("tidings", self.weights).card

    @property
    def weights(self) -> str:
        """The model file that it decides by; empty: the one that comes along."""
        return "" if self.judge else self.model

    def judge_with(self, book: AnswerBook | None) -> NewsJudge | None:
        """Who is asked, keeping the answers in `book`, or in memory without one; None where nobody is."""
        if not self.judge:
            return None
        from tidings.analysis import news_judge

        return news_judge(self.judge, self.model, self.judge_timeout, book)

    def interest(self, event: Event) -> Interest | None:
        """Two stems of the query in a sentence, or one of its two rarest."""
        return _reader(read_model("tidings", self.weights), self.language).interest(event, self.story_terms)

    def start(self, event: Event) -> TidingsFollower:
        """A fresh follower of `event`."""
        return TidingsFollower(self, event)

    def understood(self, event: Event, memory: bytes) -> Understood:
        """The words of the query, other spellings and forms that were met, and the terms of the story."""
        reader, interest = _reader(read_model("tidings", self.weights), self.language), self.interest(event)
        query = interest.stems if interest is not None else frozenset()
        words = ArticleWords.of(query, reader.weights, RARE, reader.analyzer, self.story_terms)
        held = (
            msgspec.msgpack.decode(memory, type=_Asked)[0]
            if self.judge
            else msgspec.msgpack.decode(memory, type=_Memory)
        )
        words.restore(*held.words)
        variants = tuple(sorted(words.story.forms))
        stems_of, terms = reader.analyzer.stems, tuple(words.story.terms)
        return Understood(stems_of, tuple(sorted(query)), variants, terms, tuple(sorted(words.weight.apart)))


def _learned(model: Model) -> tuple[AdditiveModel, dict[str, float], float]:
    return AdditiveModel.of(model), stem_weights(model), float(model.settings.get("level", 0.0))


def _readers(model: Model) -> dict[str, TextReader]:
    """By language, what all followers read texts with: filled when it is needed."""
    return {}


def _reader(model: Model, language: str) -> TextReader:
    readers = prepare(model, _readers)
    if language not in readers:
        readers[language] = TextReader(prepare(model, _learned)[1], language)
    return readers[language]


_NEAREST = TIDINGS_FEATURES.index("emitted_nearest")
_HEAD = 5
_STATES = 0.5
_MOST_ODDS = 20.0  # more would overflow, and changes nothing
_FOR_AN_END, _FOR_THE_WHOLE = 0.2, 0.25
"""So much likelihood less is asked of what closes a story (the fire is out, the missing are found), and of a sentence
of an item of a feed that states, as news, something with all of the query."""


class _Memory(msgspec.Struct, array_like=True):
    """What a follower remembers; without `told`, `openings` and `times` from before they were kept."""

    features: tuple[list[str], int, list[int], list[str], float, dict[str, int], int, int]
    waiting: list[Any]
    numbers: list[Any]
    words: WordsState
    told: list[tuple[int, bytes]] = []
    openings: dict[str, float] = {}
    times: list[int] = []


_Asked = tuple[_Memory, list[Any]]


class TidingsFollower(AskingFollower):
    """Remembers what the stream said of the event and what was emitted."""

    def __init__(self, system: Tidings, event: Event) -> None:
        super().__init__(event)
        model = read_model("tidings", system.weights)
        self._worth, _, level = prepare(model, _learned)
        self._level = level + system.level
        limits = Limits(
            system.min_words, system.max_words, system.memory, system.max_kept, system.max_sentences
        )
        self._decision = (
            None
            if system.articles == "none"
            else prepare(read_model("articles", system.articles), ArticleDecision.of)
        )
        self._article_level = system.article_level
        self._level_odds = log_odds(system.article_level, least=1e-6)
        self._most_of_article = system.per_article
        self._reader = _reader(model, system.language)
        self._features = FeatureState(event, self._reader, limits, system.story_terms)
        self._terms, self._struck = (
            system.story_terms,
            read_terms(system.story_terms, self._reader.analyzer.language)[1],
        )
        self._numbers = EmittedNumbers(system.max_kept)
        self._claims = EmittedClaims(event, self._features.rarity, system.language)
        self._interest = self._reader.interest(event, system.story_terms)
        self._articles: ArticleWords | None = None
        self._leave = Surroundings().leave
        self._waiting = Waiting(parse_duration(system.wait, "wait"), limits.likeness) if system.wait else None
        self._band, self._calls = system.band, system.calls
        judge = system.judge_with(None)
        if judge is not None:
            self._ask(judge)

    def _ask(self, judge: NewsJudge) -> None:
        """Ask this judge about candidates near the level or, at a pace, about those that the gate admits."""
        self._asking = Asking(self.event, judge, self._band, self._calls, self._weigh)

    @property
    def heeds(self) -> frozenset[str]:
        """The gate, what the updates mean and, where it reads articles itself, the news value that is asked for."""
        return super().heeds | {"news"} if self._decision is not None else super().heeds

    def enter(self, surroundings: Surroundings) -> None:
        """Emit no sentence of an article below the news value; at a pace, what the gate admits of more candidates."""
        super().enter(surroundings)
        self._features.least_news = max(self._features.least_news, surroundings.news)
        self._leave = surroundings.leave
        if surroundings.judge is not None:
            self._ask(surroundings.judge)
        if self._pace is not None:
            self._features.widen(self._pace.wants)

    @property
    def learned(self) -> frozenset[str]:
        """The story's heaviest terms, by which documents are of interest too."""
        return self._articles.story.heaviest if self._articles is not None else frozenset()

    @property
    def _words(self) -> ArticleWords:
        articles = self._articles
        if articles is None:
            stems = self._interest.stems if self._interest is not None else frozenset()
            articles = self._articles = ArticleWords.of(
                stems, self._reader.weights, RARE, self._reader.analyzer, self._terms
            )
            if self.event.article:
                articles.begin(self._reader.analyzer.stems(self.event.article))
        return articles

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Tell what is worth more than the level, or has waited long enough; of articles the main first."""
        features, worth, level = self._features, self._worth, self._level
        is_paced, is_judged = self._pace is not None, self._asking is not None
        updates, read = list[Update](), list[ReadDocument]()
        features.pass_time(now)
        features.learned = self.learned
        documents = features.documents(sentences)
        self._defers = (
            self._left.is_limited
            and self._decision is not None
            and not (is_paced or self._waiting is not None)
            and len(documents) > 1
            and all(document.is_whole for document in documents)
        )
        for document in documents:
            if self._waiting is not None and self._waiting:
                updates += self._tell_waiting(now, due=now)
            if document.is_whole and self._decision is not None:
                if not self._may_be_about(document):
                    self._leave([one.sentence for one in document.sentences], "off-topic")
                    continue
                read.append(document)
                push = self._push_headline if document.is_headline else self._push_article
                updates += push(document, self._decision, now)
                continue
            for sentence, candidate in features.candidates(document):
                if is_paced and self._repeats(candidate.features[_NEAREST]):
                    self._leave([sentence], "repeats")
                    continue
                value = worth(candidate.features)
                own = value > level
                if is_judged:
                    own = self._decides(sentence, value - level, own)
                elif not own and not is_paced:
                    continue
                if self._chooses(sentence, value, own=own, rank=candidate.rank):
                    updates.append(self._tell(sentence, now, value - level))
                    features.emit(candidate)
                elif own and is_paced:
                    self._leave([sentence], "pace")
        if features.has_changed:
            features.has_changed = False
            self._changed()
        updates = main_first(updates, read, self._weigh)
        return self._with_room(updates, sentences) if self._defers else updates

    def _with_room(self, updates: Sequence[Update], sentences: Sequence[Sentence]) -> list[Update]:
        """As many of the updates as there is room for, the first of them; the others count as said too."""
        given = [one for one in updates if self._room(one.text)]
        left = {(one.doc_id, one.sentence_index) for one in updates}
        left -= {(one.doc_id, one.sentence_index) for one in given}
        self._leave([one for one in sentences if (one.doc_id, one.index) in left], "pace")
        return given

    def finish(self, now: int) -> list[Update]:
        """The best wordings of what still waits."""
        return self._tell_waiting(now, due=UNLIMITED) if self._waiting is not None else []

    def _tell_waiting(self, now: int, *, due: int) -> list[Update]:
        updates = list[Update]()
        room = self._left.updates if self._pace is None else UNLIMITED
        for wording in self._waiting.due(due, room) if self._waiting is not None else ():
            self._changed()
            is_told = not (self._has_told(wording) or self._is_said(wording.sentence))
            is_told = is_told and (self._pace is not None or self._room(wording.sentence.text))
            if self._pace is not None and not self._pace.ends_waiting(is_told=is_told):
                if self._waiting is not None:
                    self._waiting.put_back(wording, now)
            elif is_told:
                updates.append(self._tell_of_article(wording.sentence, now, wording.probability))
                self._emit(wording)
        return updates

    def _may_be_about(self, document: ReadDocument) -> bool:
        """Whether a document holds enough of the query, or of the story, to be read; the story learns from it."""
        reader, topic = self._reader, self._features.topic
        parted = compounds(self.event.query) if reader.analyzer.language == "english" else ()
        allows = self._words.admit(
            document, self._interest, reader.analyzer.stems, topic, self._struck, parted
        )
        self._features.words = self._words.story.words
        self._changed()
        return allows

    def _push_headline(self, document: ReadDocument, decision: ArticleDecision, now: int) -> list[Update]:
        """Tell a title that is all there is of a document, by its worth as a pooled sentence, if it states a fact."""
        features, only = self._features, document.sentences[0]
        if explains(only.sentence.title, only.sentence.url):
            return []
        if not self._words.names.allows(document.stems, [only.sentence.text], features.topic.holds):
            return []
        closed = msgspec.structs.replace(only.sentence, text=f"{only.sentence.text}.", title="")
        article = decision.reader.read([closed])
        (read,), surfaces = article.sentences, article.surfaces
        is_foreign = surfaces.foreign[0] and not surfaces.terse[0]
        if read.states < _STATES or is_foreign or read.news_value < features.least_news:
            return []
        updates: list[Update] = []
        for whole, candidate in features.candidates(document):
            sentence = msgspec.structs.replace(whole, text=whole.text[label_end(whole.text) :])
            excess = self._worth(candidate.features) - self._level
            chance = 1.0 / (1.0 + exp(-(self._level_odds + max(-_MOST_ODDS, min(_MOST_ODDS, excess)))))
            wording = Wording(sentence, chance, candidate.casualties, candidate.stems, candidate.norm)
            if self._has_told(wording) or (self._waiting is not None and self._waiting.join(wording)):
                continue
            waits = self._waiting is not None
            own = self._decides(sentence, excess, excess > 0)
            if self._chooses(sentence, chance, own=own, rank=candidate.rank, waits=waits):
                if self._waiting is not None:
                    self._waiting.begin(wording, now)
                else:
                    updates.append(self._tell_of_article(sentence, now, chance))
                    self._emit(wording)
        self._changed()
        return updates

    def _push_article(self, document: ReadDocument, decision: ArticleDecision, now: int) -> list[Update]:
        """Emit the sentences of an article that are likely an update, the likeliest first, unless they were said."""
        features, level = self._features, self._article_level
        head = (sentence.sentence.text for sentence in document.sentences[:_HEAD])
        words = self._words
        is_close = words.story.is_close(features.read(document, decision.reader).head)
        is_named = words.story.is_known and words.weight.holds_name(document.stems)
        if not (is_close or is_named) and not words.names.allows(document.stems, head, features.topic.holds):
            self._leave([one.sentence for one in document.sentences], "off-topic")
            return []
        candidates = features.article_candidates(document, decision.reader, is_about=is_close)
        if candidates is None:
            return []
        words.names.add((sentence.sentence.text, sentence.stems) for sentence in document.sentences)
        self._changed()
        scored = [(max(decision(one.row), level if one.raises_toll else 0.0), one) for one in candidates]
        is_item = document.is_item
        scored.sort(
            key=lambda scored: (is_item or not is_title(scored[1]), scored[0], not is_title(scored[1])),
            reverse=True,
        )
        if is_item:
            scored = title_first(scored)
        updates: list[Update] = []
        chosen, waiting, has_news = 0, self._waiting, False
        most = 1 if is_item else self._most_of_article
        for probability, one in scored:
            rank: int | None = 0
            own, excess = probability >= level, log_odds(probability) - self._level_odds
            if has_news and is_title(one):
                self._leave([one.sentence], "repeats")
                continue
            if own and not is_title(one) and decision.reader.is_glued(one.sentence.text):
                self._leave([one.sentence], "unclear")
                continue
            has_news = has_news or own
            if not own and probability >= level - _FOR_AN_END:
                own = tells_an_end(one.sentence.text)
            if is_item and not own and probability >= level - _FOR_THE_WHOLE:
                own = one.states_news and words.weight.holds_whole(one.stems)
            if one.raises_toll and probability == level and not features.raises_toll(one.casualties):
                continue  # a likelier sentence of the article has given it
            if self._pace is not None:
                rank = self._paced_rank(one, chosen >= most, self._pace)
            elif chosen >= most:
                break
            elif not (own or self._is_near(excess)):
                continue
            elif self._has_told(one):
                self._leave([one.sentence], "repeats")
                continue
            if rank is None:
                self._leave([one.sentence], "pace" if own else "background")
                continue
            wording = None
            if waiting is not None:
                wording = Wording(one.sentence, probability, one.casualties, one.stems, one.norm)
                if (own or self._pace is not None) and waiting.join(wording):
                    continue
            own = self._decides(one.sentence, excess, own)
            if self._chooses(one.sentence, probability, own=own, rank=rank, waits=waiting is not None):
                chosen += 1
                if waiting is not None and wording is not None:
                    waiting.begin(wording, now)
                else:
                    updates.append(self._tell_of_article(one.sentence, now, probability))
                    self._emit(one)
            elif own:
                self._leave([one.sentence], "pace")
        return updates

    def _tell_of_article(self, sentence: Sentence, now: int, probability: float) -> Update:
        """An update whose text and title are as people write them, where the source was cut up or misread."""
        update = self._tell(sentence, now, probability)
        update = msgspec.structs.replace(update, text=as_written(update.text), title=as_written(update.title))
        self._claims.add(update.text, now)
        return update

    def _has_told(self, one: ArticleCandidate | Wording, *, words_only: bool = False) -> bool:
        """Whether a candidate says what an update has said, in its words or in others."""
        sentence = one.sentence
        return self._repeats_words(one, words_only=words_only) or self._claims.has(
            as_written(sentence.text), sentence.published_time
        )

    def _repeats_words(self, one: ArticleCandidate | Wording, *, words_only: bool = False) -> bool:
        """Whether a candidate repeats the words of an update, and gives no number that has changed since."""
        numbers = self._numbers
        if not self._features.repeats(one, lambda: numbers.has_new(one.sentence), words_only):
            return False
        sentence = one.sentence
        return not (
            numbers.has_change(sentence, tuple(one.stems))
            or self._claims.tell_another(as_written(sentence.text), sentence.published_time)
        )

    def _emit(self, one: ArticleCandidate | Wording) -> None:
        self._features.emit(one)
        self._numbers.add(one.sentence, one.stems)

    def _paced_rank(self, candidate: ArticleCandidate, is_enough: bool, pace: PaceGate) -> int | None:
        """In which rank to offer a candidate: 1 where its article has enough updates, 2 for what is like an update."""
        if self._has_told(candidate, words_only=True):
            return None
        rank = 1 if is_enough else 0
        rank = max(rank, candidate.rank, 2 if self._repeats_words(candidate) else 0)
        return rank if rank in (0, candidate.rank) or pace.wants(rank, candidate.sentence.doc_id) else None

    def _encode(self) -> bytes:
        waiting = [] if self._waiting is None else self._waiting.state()
        words = no_words() if self._articles is None else self._articles.state()
        parts, openings = self._features.parts(), self._features.openings.odds
        told, times = self._claims.state(), self._features.emitted_times
        memory = _Memory(parts, waiting, self._numbers.state(), words, told, openings, times)
        return msgspec.msgpack.encode(memory if self._asking is None else (memory, self._asking.state()))

    def _decode(self, data: bytes) -> None:
        if self._asking is None:
            memory = msgspec.msgpack.decode(data, type=_Memory)
        else:
            memory, asked = msgspec.msgpack.decode(data, type=_Asked)
            self._asking.restore(asked)
        self._features.restore(*memory.features, memory.openings, memory.times)
        self._articles = None
        if memory.words != no_words():
            self._words.restore(*memory.words)
            self._features.words = self._words.story.words
        self._numbers.restore(memory.numbers)
        self._claims.restore(memory.told)
        if self._waiting is not None:
            self._waiting.restore(memory.waiting, self._weigh)

    def _weigh(self, text: str) -> tuple[dict[str, float], float]:
        weighed = self._reader.read(text)
        return weighed.stems, weighed.norm


def article_rows(
    event: Event, documents: Iterable[Document], articles: ArticleReader
) -> Iterator[tuple[tuple[str, int], tuple[float, ...]]]:
    """For training: (document, sentence) and the features of each candidate, following a stream without telling."""
    system = Tidings()
    model = read_model("tidings", system.model)
    features = FeatureState(event, _reader(model, system.language), Limits(longest=100, article_words=100))
    for document in documents:
        for read in features.documents(document.sentences):
            for candidate in features.article_candidates(read, articles) or ():
                yield (candidate.sentence.doc_id, candidate.sentence.index), tuple(candidate.row)
