"""The words of a query: how much of its weight a document holds.

"ferry fire bilbao" asks for a ferry, a fire and a place. An article that has the first two and not the third may tell
of another ferry.

An article can be asked how often it comes back to the query. Of an item of a feed, a title and two sentences, one
common word of the query ("killed", "talks") says nothing, and of a long article hardly more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from tidings.analysis import gazetteers, mishaps
from tidings.core import UsageError, data_beside, shared_analyzer
from tidings.following.background import usual
from tidings.following.systems.tidings.query_forms import alike_words, other_forms, people_forms
from tidings.following.systems.tidings.story import Counted, Story

_CERTAIN = 0.6
_LEAD, _IN_LEAD, _PART_OF, _THREE = 2, 0.2, 0.9, 3
_CERTAIN_OF_TWO, _CERTAIN_OF_COMMON = 0.5, 0.75
_COMMON = 4.0
_POSSIBLE = 0.5
_TOPIC = 0.25
_YEAR = re.compile(r"(19|20)\d\d")
_UNMET = 0.25
_IN_MANY, _NAMED_IN_FULL = 10.0, 2
_HARDLY_MET, _MOST_MET = 0.1, 1_000
_PASSING, _PASSING_IN_A_PLACE = 0.5, 0.25
_FEWEST_WITHOUT, _FEWEST_WITHOUT_NAME, _NEVER = 3, 15, _MOST_MET + 1
_MOST_NAMES, _FEWEST_ALONE, _INCOHERENT, _ONE_NAME = 5, 6, 0.05, 0.05
_SAYS_LITTLE, _ELSEWHERE, _MUCH_USED = 0.3, 0.5, 167.0
_COHERENT, _COHERENT_PLACE = 0.2, 0.1
_TELLING = 60.0
_TOGETHER = 0.5
_FEW_WORDS, _MANY_WORDS = 2, 5


class QueryWeight:
    """Decides by the share of the query's weight that a document holds.

    From .6 on (of a query of one or two words from .5 on; of two that are no names, as "bird flu", or of a mishap in a
    place, as "spain storm", from .75), and with a name of the query if it has any, a document may be about the event.
    Before the story is known, .75 are asked of more words too if all are much used and none is a place ("world cup
    final"). From .5 on it may if at least half of the other names in its beginning were met in what was said of the
    event so far, or nothing was said. One that holds less may if its names were met, it has a name of the query, and a
    quarter of its words are others in which the event has been reported. The people of a country stand for it:
    Ukrainian for Ukraine. A document with a title must also state what is asked for in one place (`is_stated`).

    Years and months weigh nothing. A word that the news hardly uses, in a tenth as many documents as a specific
    word of the query, weighs a quarter in a document that holds this one: outlets may call it otherwise. It is taken to
    be such when the specific word was met three times (a name of someone or something), or fifteen times (a word that
    six of a hundred documents hold, or a place, where much happens). A name that stands at the beginning of a hundredth
    of the news is such a word only beside another name of the query, and no mishap (`mishaps`) in a place weighs less:
    the news would name it.

    What the beginnings of articles with a name of someone or something have in common (`Story.coherence`) tells more.
    If that is one story, words of the query that a tenth or less of the articles have beside the name weigh a quarter
    too, once there are six: until the news of Assange speaks of an embassy, "assange embassy" asks for Assange. So it
    is with a place of which fifteen tell, though half as much in common is asked of these: "nato strikes libya". If
    the news of someone or something is this and that, the name stands for nothing by itself: "trump impeachment" asks
    for both; nor beside a place: "trump greenland threats" asks for Greenland.

    >>> weight = QueryWeight(frozenset({"iran", "nuclear", "talk", "geneva"}), {"iran": 5.0, "talk": 4.0}, 8.0)
    >>> nothing = frozenset()
    >>> weight.allows({"iranian", "nuclear", "talk"}, nothing, lambda: False)
    True
    >>> weight.allows({"ukrain", "talk", "geneva", "kyiv"}, {"iran"}, lambda: False)
    False
    >>> weight.allows({"nuclear", "submarin", "shipyard"}, nothing, lambda: True)
    False

    Words that a person added stand for the whole query: one that tells something alone by itself, a common one beside
    another of them or a word of the query.

    Args:
        query: its stems.
        weights: how rare each stem is in the news; those that it lacks are `rare`.
        rare: their weight.
        language: of the Snowball stemmer that made the stems; only of English ones it is known which are specific.
        added: stems of words that a person added.
    """

    def __init__(
        self,
        query: frozenset[str],
        weights: Mapping[str, float],
        rare: float,
        language: str = "english",
        added: frozenset[str] = frozenset(),
    ) -> None:
        self.query = query | added
        is_english = language == "english"
        self._added = {
            stem: frozenset({stem, *(form for form, _ in (people_forms((stem,)) if is_english else ()))})
            for stem in sorted(added)
        }
        self._alone = {stem for stem in added if not is_english or is_specific(stem)}
        people = other_forms(query) if is_english else ()
        self._forms = {
            stem: (
                frozenset({stem, *(form for form, place in people if place == stem)}),
                weights.get(stem, rare),
            )
            for stem in sorted(query)
            if len(query) == 1 or not (_YEAR.fullmatch(stem) or (is_english and stem in _months()))
        } or {stem: (frozenset({stem}), weights.get(stem, rare)) for stem in sorted(query)}
        self._mass = sum(weight for _, weight in self._forms.values())
        self._specific = {stem for stem in self._forms if is_english and is_specific(stem)}
        self._named = [stem for stem in self._forms if is_english and usual(stem).is_name]
        self._places = frozenset(stem for stem in self._named if usual(stem).is_place)
        self._always = mishaps() if is_english and self._places else frozenset[str]()
        is_short = len(self._forms) <= _FEW_WORDS
        is_mishap = is_short and not self._always.isdisjoint(self._forms)
        is_common = is_mishap or (is_english and self._is_common())
        few = _CERTAIN_OF_TWO if is_short else _CERTAIN
        self._certain = _CERTAIN_OF_COMMON if is_common and is_short else few
        self._at_first = _CERTAIN_OF_COMMON if is_common else few
        self._first = self._at_first if is_common else _POSSIBLE
        self._alike, self._told_alike = (
            {stem: alike[stem] for stem in self._forms if is_english and stem in alike}
            for alike in alike_words()
        )
        names = [stem for stem in self._named if stem in self._specific]
        self._telling = names or sorted(self._specific) or self._named or list(self._forms)
        self._someone = [stem for stem in self._named if stem not in self._places and not _is_town(stem)]
        self._countries = frozenset(stem for stem in self._places if people_forms((stem,)))
        self._enough = {
            stem: _FEWEST_WITHOUT if usual(stem).is_own_name else _FEWEST_WITHOUT_NAME
            for stem in self._specific
            if usual(stem).is_name or usual(stem).share < _TELLING
        }
        self._in_many = {
            stem for stem in self._enough if usual(stem).is_own_name and usual(stem).head >= _IN_MANY
        }
        self.words = frozenset().union(*(forms for forms, _ in self._forms.values()), *self._added.values())
        names = sorted(
            self._specific.intersection(self._named), key=lambda stem: (stem in self._places, stem)
        )
        self._news = {
            stem: Story(frozenset({stem}), weights, rare)
            for stem in names[: _MOST_NAMES if len(self._forms) > 1 else 0]
        }
        self._passing = _PASSING_IN_A_PLACE if self._places else _PASSING
        self._names_both = bool(self._news.keys() - self._places) and bool(self._news.keys() & self._places)
        self.restore({}, {})

    def _is_common(self) -> bool:
        # Whether the words tell something only together: two that are no names, or more, all much used and no place.
        if len(self._forms) <= _FEW_WORDS:
            return len(self._forms) == _FEW_WORDS and not self._named
        return all(usual(stem).head >= _COMMON and not usual(stem).is_place for stem in self._forms)

    def restore(self, met: Mapping[str, int], news: Mapping[str, Counted]) -> None:
        """Become what `state` described."""
        self._met = dict(met)
        for name, of_name in self._news.items():
            of_name.recount(news.get(name, ({}, 0.0, 0.0)))
        self._coherence: dict[str, float] = {}
        self._uncounted = {name for name, news in self._news.items() if news.is_known}

    def state(self) -> tuple[dict[str, int], dict[str, Counted]]:
        """In how many documents each stem of the query was met, and beside each name of it, up to a thousand.

        Besides what the beginnings of documents with a name hold.
        """
        return self._met, {name: of_name.counted() for name, of_name in self._news.items()}

    @property
    def has_alike(self) -> bool:
        """Whether headlines use other words for one of the query's (`complete`)."""
        return bool(self._alike)

    @property
    def met_specific(self) -> frozenset[str]:
        """The specific stems of the query that the news uses."""
        return frozenset(stem for stem in self._specific if self._met.get(stem))

    @property
    def apart(self) -> frozenset[str]:
        """The stems of the query that no document held beside a name of it, where a name that is no place was met."""
        own = self._news.keys() - self._places
        met = [name for name in own if self._met.get(name)]
        others = self._forms.keys() - own if met else ()
        return frozenset(stem for stem in others if not any(self._met.get(_pair(name, stem)) for name in met))

    def add(self, stems: Collection[str], head: Collection[str] = ()) -> None:
        """Count which stems of the query a document holds, and what its beginning holds beside a name."""
        for name, news in self._news.items():
            if not self._forms[name][0].isdisjoint(head):
                news.count(head)
                if news.is_known:
                    self._uncounted.add(name)
        held = [stem for stem, (forms, _) in self._forms.items() if not forms.isdisjoint(stems)]
        pairs = [_pair(name, other) for name in held if name in self._news for other in held if other != name]
        for stem in (*held, *pairs):
            if self._met.get(stem, 0) < _MOST_MET:
                self._met[stem] = self._met.get(stem, 0) + 1

    def allows(
        self,
        stems: Collection[str],
        common: Collection[str],
        has_familiar_names: Callable[[], bool],
        passing: Collection[str] = frozenset(),
    ) -> bool:
        """Whether a document may be about the event.

        Args:
            stems: of its title and sentences.
            common: those common in what was said of the event; empty at the beginning.
            has_familiar_names: asked where the words of the query do not decide.
            passing: those of the stems that it mentions only in passing; they count half, a quarter where the query
                names a place.
        """
        held, mass = self._share(stems, passing)
        if held >= self._at_first * mass and self._is_named(stems):
            return True
        if held >= _POSSIBLE * mass:
            return has_familiar_names() if common else held >= self._first * mass and self._is_named(stems)
        others = sum(stem in stems and stem not in self.query for stem in common)
        is_topical = bool(held) and others >= _TOPIC * max(1, len(stems))
        return is_topical and self._is_named(stems) and has_familiar_names()

    def share(self, stems: Collection[str], passing: Collection[str] = frozenset()) -> float:
        """The share of the query's weight that a document holds, for `allows`."""
        held, mass = self._share(stems, passing)
        return held / mass if mass else 0.0

    def asks_for(self, stems: Collection[str], passing: Collection[str] = frozenset()) -> bool:
        """Whether a document holds so much of the query that it is about the event, for `allows`."""
        held, mass = self._share(stems, passing)
        return held >= self._certain * mass and self._is_named(stems)

    def holds_one_story(self, head: Collection[str]) -> bool:
        """Whether the beginning of a document holds a name of the query whose news is one story."""
        return any(
            self._has_one_story(name) and not self._forms[name][0].isdisjoint(head) for name in self._news
        )

    def holds_all(self, stems: Collection[str]) -> bool:
        """Whether the stems hold all of a query of more than two words, of one of five or more all but one."""
        lacked = sum(forms.isdisjoint(stems) for forms, _ in self._forms.values())
        return len(self._forms) > _FEW_WORDS and lacked <= (len(self._forms) >= _MANY_WORDS)

    def holds_whole(self, stems: Collection[str]) -> bool:
        """Whether the stems hold all words of a query of two or more, each in one of its forms, or one alike."""
        if len(self._forms) < 2:
            return False
        lacked = [stem for stem, (forms, _) in self._forms.items() if forms.isdisjoint(stems)]
        return not lacked or (len(lacked) == 1 and self._holds_alike(lacked[0], stems, self._told_alike))

    def complete(self, stems: frozenset[str]) -> frozenset[str]:
        """The stems, with the only word of the query that they lack if they hold one that headlines use for it.

        >>> weight = QueryWeight(frozenset({"german", "bank", "robberi"}), {}, 8.0)
        >>> sorted(weight.complete(frozenset({"german", "bank", "heist"})))
        ['bank', 'german', 'heist', 'robberi']
        >>> sorted(weight.complete(frozenset({"bank", "heist"})))
        ['bank', 'heist']
        """
        if not self._alike or len(self._forms) == 1:
            return stems
        lacked = [stem for stem, (forms, _) in self._forms.items() if forms.isdisjoint(stems)]
        is_whole = len(lacked) == 1 and self._holds_alike(lacked[0], stems, {})
        return stems.union(lacked) if is_whole else stems

    def _holds_alike(self, word: str, stems: Collection[str], also: Mapping[str, frozenset[str]]) -> bool:
        alike = self._alike.get(word) or also.get(word)
        return alike is not None and not alike.isdisjoint(stems)

    def is_stated(self, title: Collection[str], sentences: Sequence[Collection[str]]) -> bool:
        """Whether one place of a document holds .6 of the query's weight, and its beginning .2.

        A place is the title or a sentence; for a query of four words or more, also the title with the first two
        sentences, which are the beginning. Of two or three words it must hold two, and two names of people or things if
        the query has two. Places that the news hardly names beside the words that are held weigh a quarter (a reporter
        in Libya does not name it), and "war" or "crisis" may be missing. Of a name that hardly occurs without another,
        as Keir of Starmer, only the other counts. A word that a person added stands for the query.
        """
        if not self._forms or any(self._holds_added(stems) for stems in (title, *sentences)):
            return True
        names = self._full_names()
        parts = {name: self._forms[name] for name in self._someone if name not in names}
        mass = self._mass - sum(weight for _, weight in parts.values())
        words = self._forms.keys() - parts.keys()
        is_short, at_large = len(words) <= _THREE, len(words & _at_large())
        fewest, fewest_names = min(2, len(words) - at_large), min(2, len(names))
        lead = [] if is_short else [frozenset(title).union(*sentences[:_LEAD])]
        in_lead, is_stated = 0.0, False
        for number, stems in enumerate((title, *sentences, *lead)):
            found = {stem for stem in words if not self._forms[stem][0].isdisjoint(stems)}
            if not found:
                continue
            held = self._share(stems)[0] - sum(
                w for forms, w in parts.values() if not forms.isdisjoint(stems)
            )
            unmet = self._unmet_places(found)
            share = held / (mass - (1.0 - _UNMET) * sum(self._forms[stem][1] for stem in unmet))
            in_lead = max(in_lead, share) if number <= _LEAD else in_lead
            is_enough = len(found) + len(unmet) >= fewest and len(found & names) >= fewest_names
            is_stated = is_stated or (share >= _CERTAIN and (is_enough or not is_short))
        return is_stated and in_lead >= _IN_LEAD

    def _unmet_places(self, found: set[str]) -> list[str]:
        # The places of the query that the news hardly names beside these words, if these are not only places.
        most = _HARDLY_MET * max(self._met.get(stem, 0) for stem in found)
        places = self._places - found if found - self._places else ()
        return [stem for stem in places if self._met.get(stem, 0) <= most]

    def _full_names(self) -> set[str]:
        # The names of the query, other than places, without those that hardly occur without another that is not often
        # without them.
        names = [stem for stem in self._someone if len(stem) > 1 and stem not in _months()]
        names.sort(key=lambda name: (self._met.get(name, 0), name))
        full = set(names)
        for one, other in combinations(names, 2):
            together = self._met.get(_pair(one, other), 0)
            if together and together >= max(_PART_OF * self._met[one], _TOGETHER * self._met[other]):
                full.discard(one)
        return full

    def holds_only_places(self, stems: Collection[str]) -> bool:
        """Whether all that the stems hold of the query is places, and it has other words."""
        others = self._forms.keys() - self._places
        return bool(others) and all(self._forms[stem][0].isdisjoint(stems) for stem in others)

    def holds_name(self, stems: Collection[str]) -> bool:
        """Whether the stems hold a name of the query that tells something alone; else another such word, or any."""
        return self._holds_added(stems) or (
            any(not self._forms[stem][0].isdisjoint(stems) for stem in self._naming(self._telling))
            and not self._holds_one_of_many(stems)
        )

    def holds_two(self, stems: Collection[str]) -> bool:
        """Whether a sentence of these stems holds two of the query's words, or the query has no three."""
        if len(self._forms) <= _FEW_WORDS or self._holds_added(stems):
            return True
        return sum(not forms.isdisjoint(stems) for forms, _ in self._forms.values()) > 1

    def _holds_one_of_many(self, stems: Collection[str]) -> bool:
        # Whether of the query the stems hold one name alone, whose news is of this and that.
        if not (self._coherence or self._uncounted) or self._holds_added(stems):
            return False
        held = [stem for stem, (forms, _) in self._forms.items() if not forms.isdisjoint(stems)]
        return len(held) == 1 and self._has_many_stories(held[0])

    def _says_little(self, stems: list[str]) -> bool:
        # Whether these of the query are places where other things happen too, beside a word that tells what is asked
        # for there, as "crisis" and "war" do not; or such places and names whose news is of this and that, beside one
        # that the news seldom uses.
        names = [stem for stem in stems if stem not in self._places]
        used = _TELLING if names else _MUCH_USED
        return (
            any(
                usual(stem).share < used and (names or stem not in _at_large())
                for stem in self._forms.keys() - stems
            )
            and all(map(self._has_many_stories, names))
            and all(
                usual(stem).head >= _ELSEWHERE and not self._has_one_story(stem)
                for stem in self._places.intersection(stems)
            )
        )

    def _holds_added(self, stems: Collection[str], passing: Collection[str] = frozenset()) -> bool:
        # Whether the stems hold what stands for the query because a person said so.
        held = [
            stem for stem, forms in self._added.items() if stem not in passing and not forms.isdisjoint(stems)
        ]
        if not held:
            return False
        asked = any(not forms.isdisjoint(stems) for forms, _ in self._forms.values())
        return asked or len(held) > 1 or held[0] in self._alone

    def _is_named(self, stems: Collection[str]) -> bool:
        # Whether the stems hold a name of the query, of those that the news uses; a place has no other name.
        names = self._naming([stem for stem in self._named if self._met.get(stem) or stem in self._places])
        return (
            not names
            or self._holds_added(stems)
            or any(not self._forms[stem][0].isdisjoint(stems) for stem in names)
        )

    def _naming(self, names: list[str]) -> list[str]:
        # Of names those that name the story: beside a country no town, where its people may meet as others do; and
        # beside a place nobody else whose news is of this and that.
        if not self._countries.isdisjoint(names):
            names = [name for name in names if name in self._countries or not _is_town(name)]
        if self._places.isdisjoint(names):
            return names
        return [name for name in names if not self._has_many_stories(name)]

    def _has_many_stories(self, name: str) -> bool:
        # Whether the news of someone or something is of this and that; that of any place may be.
        return name not in self._places and self._coherence_of(name, _COHERENT) < _INCOHERENT

    def _has_one_story(self, name: str) -> bool:
        # Whether the news of a name is one story; of a place, where other things happen too, more is to be met.
        met = self._met.get(name, 0)
        if name in self._places:
            return met >= _FEWEST_WITHOUT_NAME and self._coherence_of(name, 0.0) >= _COHERENT_PLACE
        return met >= _FEWEST_ALONE and self._coherence_of(name, 0.0) >= _COHERENT

    def _is_told_of_beside(self, name: str) -> bool:
        # Whether a place or someone, of a query that names both, is one whose news is of this and that.
        return self._names_both and self._coherence_of(name, _COHERENT) < _INCOHERENT

    def _coherence_of(self, name: str, otherwise: float) -> float:
        # How much the news of a name has in common; counted when it is asked for.
        if name in self._uncounted:
            self._uncounted.discard(name)
            self._coherence[name] = self._news[name].coherence()
        return self._coherence.get(name, otherwise)

    def _share(self, stems: Collection[str], passing: Collection[str] = frozenset()) -> tuple[float, float]:
        # The weight of the query that the stems hold, and all of it.
        held, mass = 0.0, self._mass
        found: list[str] = []
        familiar: list[str] = []
        if self._added and self._holds_added(stems, passing):
            return mass, mass
        if self._holds_one_of_many(stems):
            return _ONE_NAME * mass, mass
        for stem, (forms, weight) in self._forms.items():
            if not forms.isdisjoint(stems):
                found.append(stem)
                held += weight * (self._passing if stem in passing else 1.0)
                met = self._met.get(stem, 0)
                if met >= self._enough.get(stem, _NEVER) and not self._is_told_of_beside(stem):
                    familiar.append(stem)
        if sum(usual(stem).is_own_name for stem in found) < _NAMED_IN_FULL:
            familiar = [stem for stem in familiar if stem not in self._in_many]
        known = max((self._met[stem] for stem in familiar), default=0)
        less = 0.0
        if known and held < mass:
            telling = filter(self._has_one_story, familiar)
            named = max(telling, default="", key=lambda name: self._met.get(name, 0))
            less = sum(
                (1.0 - _UNMET) * weight
                for stem, (forms, weight) in self._forms.items()
                if forms.isdisjoint(stems)
                and stem not in self._always
                and (
                    self._met.get(stem, 0) <= _HARDLY_MET * known
                    or (named and self._met.get(_pair(named, stem), 0) <= _HARDLY_MET * self._met[named])
                )
            )
        if less:
            mass -= less
        elif _SAYS_LITTLE * mass < held < mass and self._says_little(found):
            held = _SAYS_LITTLE * mass
        return held, mass


def _pair(name: str, other: str) -> str:
    return f"{name} {other}"


_MOST_SPECIFIC = 100.0


def is_specific(stem: str) -> bool:
    """Whether fewer than a tenth of the documents of news hold a stem, so that it tells something alone."""
    return usual(stem).share < _MOST_SPECIFIC and not stem.isdigit()


_SHORTEST_NAME = 5


_TOWNS, _PEOPLE = frozenset({"city", "town"}), frozenset({"last", "family"})


def _is_town(stem: str) -> bool:
    # Whether a stem is the name of a town, and hardly of people too.
    marks = gazetteers().words.get(stem, ())
    return not _TOWNS.isdisjoint(marks) and (usual(stem).is_place or _PEOPLE.isdisjoint(marks))


def spelled_names(stems: Iterable[str]) -> frozenset[str]:
    """Those of these English stems that outlets may spell otherwise: names, but not of places, of five letters or more.

    >>> sorted(spelled_names(["libya", "gadhafi", "crash"]))
    ['gadhafi']
    """
    return frozenset(
        stem for stem in stems if len(stem) >= _SHORTEST_NAME and stem.isalpha() and usual(stem).is_own_name
    )


def check_terms(terms: str, language: str) -> None:
    """Raise UsageError for a word among terms that is none, or so common that nothing is looked for by it."""
    for word in terms.split():
        if not shared_analyzer(language).stems(word.removeprefix("-")):
            raise UsageError(
                f"story_terms: {word!r} (expected a specific word, with - before one that does not belong to the story)"
            )


def read_terms(terms: str, language: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of the words that a person adds to a story, and of those that are struck: with a minus before them.

    >>> read_terms("Enron -energy", "english")
    (frozenset({'enron'}), frozenset({'energi'}))
    """
    stems_of = shared_analyzer(language).stems
    words = terms.split()
    struck = frozenset(stems_of(" ".join(word[1:] for word in words if word.startswith("-"))))
    return frozenset(stems_of(" ".join(word for word in words if not word.startswith("-")))) - struck, struck


@lru_cache(maxsize=1)
def _at_large() -> frozenset[str]:
    return frozenset(shared_analyzer("english").stems(data_beside(__file__)["at_large"]))


@lru_cache(maxsize=1)
def _months() -> frozenset[str]:
    # Not march and may, which are other words too.
    return frozenset(shared_analyzer("english").stems(data_beside(__file__)["months"]))
