"""What stands before an article, beside it or between it and its headline: time stamps, bylines, credits, captions.

Pages turned into text run all of these together with the first sentence, or leave them as sentences of their own. Each
is known by its form alone; where a headline ends is learned (`tidings.analysis.articles.borders`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from tidings.analysis.articles.surfaces import WORD_KINDS, WordKind, is_verb
from tidings.analysis.names.gazetteers import gazetteers

_FEWEST_CHARACTERS = 20
_ROUNDS = 4

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_OPENERS = (
    r"(?:The|An?|In|On|At|As|It|For|After|With|But|When|While|If|Since|More|Two|Three|Four|Five|Six|Dozens|Hundreds|"
    r"Thousands|Police|Officials)"
)

# Time stamps, and links that stand beside them.
_DATE = r"(?:\w+day)?\s?,?\s?\d{1,2}\s[A-Za-z]+\s?,?\s(?:19|20)\d\d"
_CLOCK = r"\d\d ?: ?\d\d(?:\s(?:GMT|BST|UTC|ET|UK)\b)?"
_ZONE = r"(?:GMT|BST|UTC|I?ST|CET|[ECMPA]K?[DS]?T|UK)\b"
_STAMP = re.compile(
    r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}\s?\.?\s?,?\s)?"
    r"(?:(?P<day>\d{1,2})\s(?P<month>[A-Z][a-z]{2,8})\s?,?\s(?P<year>(?:19|20)?\d\d)"
    r"|(?P<month_first>[A-Z][A-Za-z]{2,8})\.?\s(?P<day_second>\d{1,2})(?:st|nd|rd|th)?\s?,?\s(?P<year_last>(?:19|20)\d\d)"
    r"|(?P<numbers>\d\d\s?/\s?\d\d\s?/\s?(?:20)?\d\d))"
    rf"(?P<clock>(?:(?:\s?[,|–—-])?\s?(?:[Aa][Tt]\s)?\d{{1,2}}\s?[.:]\s?\d\d(?::\d\d)?\s?(?:[AaPp]\.?[Mm]\b\.?)?\s?(?:{_ZONE}|\|)?)"
    r"|\s?\|)?"
    r"\s+(?=[A-Z\"'“‘`\d]|-LRB- |by : )"
)
_IN_STAMP = ("20", "19", "/", ":")
_STAMPED = 400
_FURNITURE = re.compile(
    rf"(?:(?:\d{{1,2}} [A-Z][a-z]+ (?:19|20)\d\d )?(?:[Pp]age )?[Ll]ast updated(?: at)?(?:\s?:)?\s"
    rf"(?:{_CLOCK}(?:\s?,\s{_DATE})?(?:\s{_CLOCK})?|{_DATE}(?:\s-\s{_CLOCK})?)"
    r"(?: (?:Help|Share this page|E-mail this to a friend|Printable version))*\s+"
    rf"|[A-Z][\w.' -]{{2,40}}\|\s{_CLOCK}(?: time)?\s?,\s{_DATE}\s+"
    rf"|{_DAY},? \d{{1,2}} {_MONTH}(?:,? (?:19|20)\d\d)?\s+(?=[A-Z])"
    r"|(?:\(|\[|-LRB- |-LSB- )an error occurred while processing this directive(?:\)|\]| -RRB-| -RSB-)\s+"
    r"|(?:Media|Image) (?:caption|copyright|playback is unsupported on your device)\s+)"
)

_LABEL = re.compile(
    r"(?=[A-Z])(?:(?i:breaking(?: news)?|just in|developing|exclusive|live(?: updates?| blog)?|updated?|the latest)"
    r"|NEW|NEWS ALERT|ALERT|URGENT|FLASH|(?:UPDATE|WRAPUP|RPT|CORRECTED) ?\d{0,2})(?: ?[:|–—]\s*| ?-(?:\s+|(?=[A-Z])))"
)
"""What outlets put before news that is new."""

# Who wrote it.
_STAFF = r"(?:[Cc]orrespondent|[Rr]eporter|[Ee]ditor|[Aa]nalyst|[Pp]roducer|[Cc]ontributor)"
_TOWN = r"(?:(?:Los|New|San|Santo|St|Port|Cape|Hong|Tel|Kuala|Buenos|Addis|Abu|El|Las|Rio) )?[A-Z]\w+"
_BYLINE = re.compile(
    r"By (?:the )?(?:(?:[A-Z][\w'.-]+(?: and)? ){1,6}(?:[A-Za-z-]+ ){0,6}?"
    rf"(?:{_STAFF}|BBC News|Magazine|Press|Reuters|Wire Staff)|"
    rf"(?:[A-Z][\w'.-]+(?: and| ,)? ){{1,8}}(?:CNN(?: (?:[A-Z][\w.]+ ){{0,4}}{_STAFF})?|AFP|Fox News))"
    rf"(?: , (?:BBC News|{_TOWN})){{0,3}}(?: (?:, |in ){_TOWN})?\s+(?=[A-Z])"
    rf"|From (?:[A-Z][\w'.-]+(?: and| ,)? ){{1,8}}CNN(?: (?:[A-Z][\w.]+ ){{0,4}}{_STAFF})?\s+(?=[A-Z])"
    rf"|(?!(?:{_OPENERS}|Speaking) )(?:[A-Z][\w'.-]{{1,24}} ){{2,3}}(?:, )?BBC News ?, (?!Mr|Mrs|Ms|Dr|Sir){_TOWN}"
    r"\s+(?=[A-Z])"
    r"|[Bb]y ?: (?:[A-Z][\w'-]+ (?:[A-Z]\. )?)[A-Z][\w'-]+\s+(?=[A-Z\"“`])"
)
_BY_STAFF = re.compile(r"By the (?:CNN|AP|Reuters|Fox News)? ?(?:Wire )?Staff\s+(?=[A-Z\"“‘`\d])")

# Who took the picture; behind a caption.
_PICTURES = r"AFP|AP|EPA|ESA|PA|NASA|NOAA|Reuters|Getty(?: Images)?|Rex|Corbis|Xinhua|Shutterstock|Alamy"
_NO_CREDIT = (
    r"(?!(?:Photos?|Images?|Moller|Television|News|TV|Commissioner|Consulting|Writer|Foundation|Administrator|Exclusive)"
    r"\b)"
)
_NO_SUBJECT = rf"(?!PA President\b|(?:Rex|NASA|NOAA|Getty) (?!(?:Images|Photo|{_OPENERS}) )[A-Z])"
"""Who takes pictures may also do something: `Rex Tillerson was named` begins with no credit."""
_CREDIT = re.compile(
    r"(?:Photograph|Photo|Picture|Image)(?: ?: | by )"
    r"(?:(?:[A-Z][\w.'-]*|for|of|de|del|di|da|van|von|el|al|bin) ){0,4}(?:[A-Z][\w.'-]* ?\\?/ ?){0,2}"
    rf"(?:{_PICTURES})\s+(?=[A-Z\"“‘`])"
    rf"|(?:\( ?|-LRB- ?)(?:(?:{_PICTURES}|YouTube|Facebook|Twitter|Instagram|Photo|Image|Credit|Courtesy|Source)\b"
    rf"[^()]{{0,80}}?|[^()/]{{0,60}}/ ?(?:Associated Press|{_PICTURES})\b[^()]{{0,20}})"
    r"(?:\)|-RRB-)\s*(?=[A-Z\"“‘`(]|\.?$)"
    rf"|(?:[A-Z][\w.'’-]* (?:, )?){{1,6}}via (?:{_PICTURES})\s+(?=[A-Z\"“‘`])"
    rf"|{_NO_SUBJECT}(?:{_PICTURES})(?: Photo)?(?: ?\\?/ ?[A-Z]\w+(?: [A-Z][\w.]+| \d{{4}}){{0,2}}?)?"
    rf" ?(?:(?:19|20)\d\d)?\s+{_NO_CREDIT}"
    rf"(?=(?:[A-Z]+ ){{2}}|[A-Z][a-z']+ [a-z'0-9]|{_OPENERS} [A-Za-z]|(?:Rep|Sen|Gov|President)\b|{_MONTH} \d|"
    rf"FILE\b|{_DAY} ?:)"
    rf"|(?:{_PICTURES})(?: Photo)? ?\\?/ ?[A-Z]\w+(?: [A-Z][\w.]+){{0,2}}?\s+"
    r"(?=[A-Z]{2,5} (?:has|have|had|is|was|will|says?|said) )"
)
_CREDITED = re.compile(
    r"(?:Photograph|Photo|Picture) ?: |\(?(?:AP|AFP|EPA|Reuters) Photo\b|(?:AP|AFP|EPA|Reuters)\\?/[A-Z]"
)
_LOOSE_CREDIT = re.compile(
    rf"(?:AP|AFP|EPA|Reuters|Getty(?: Images)?) {_NO_CREDIT}(?=[A-Z][\w.'-]* [A-Za-z])"
    rf"|(?!US |UN |EU |UK )[A-Z]{{2,5}}(?: [A-Z][a-z]+)? (?!Police|Officials)(?={_OPENERS} [a-z])"
    r"|(?P<twice>[A-Z]{2,5}) (?=(?P=twice) )"
)

# Where and by which agency it was written.
_AGENCIES = (
    r"A[FN]?P|CNN|[Rr]euters|REUTERS|Xinhua|XINHUA|[Dd]pa|DPA|UPI|PTI|IANS|ANI|EFE|ANSA|[Kk]yodo|Bloomberg|Interfax|TASS|"
    r"VOA|IRIN|AAP|BBC|CBS|NBC|ABC|[Tt]he [Gg]uardian|allAfrica|AllAfrica"
)
_CITY = r"[A-Z][A-Z.'-]{1,24}(?:[ -][A-Z.'-]{1,24}){0,3}"
_STATE = r"(?:\s?,\s[A-Z][a-z.]+(?:\s[A-Z][a-z.]+)?)?"
_DATELINE = re.compile(
    rf"(?:{_CITY}(?:\s?,\s(?:[A-Z][a-z.]+\s?){{1,3}})?"
    r"(?:\s?,?\s(?:[A-Z][a-z]{2,8}\.?\s\d{1,2}(?:\s?,\s\d{4})?))?\s?)?"
    r"(?:(?:\( ?|-LRB-\s?)(?:[A-Z][\w./ ]{1,24})(?:\)|\s?-RRB-)\s?[-–—]{1,2}\s+)"
    r"|(?:(?:(?:[A-Z]{1,24} )?(?:OF|ON|OFF|OVER|IN|NEAR|ABOARD) (?:THE )?)|ON THE (?:[A-Z]{1,24} ){1,2}OF THE )?"
    rf"{_CITY}{_STATE}(?:\s?,\s{_MONTH}\s\d{{1,2}})?\s?(?:[—–]|--)\s+(?=[\"'“`A-Z\d])"
    rf"|[A-Z][\w.'-]{{1,24}}(?: [A-Z][\w.'-]{{1,24}}){{0,2}}{_STATE}(?:\s?,\s{_MONTH}\s\d{{1,2}})?\s?(?:[—–]|--)\s+"
    rf"(?={_OPENERS} [a-z])"
)
_PLACE_DATELINE = re.compile(
    r"(?P<city>(?:[A-Z]{4,24}|[A-Z]{3,24} [A-Z]{3,24})(?: [A-Z]{3,24})?)"
    rf"(?P<state>{_STATE})(?:\s?,\s(?:{_MONTH}\s\d{{1,2}}|\d{{1,2}} {_MONTH}))?"
    rf"(?:\s?: (?=[A-Z][a-z]|An? )|\s-\s(?=[\"'“`]?(?:An? [a-z]|(?!{_MONTH} \d)[A-Z][a-z]+,? [a-z])))"
)
_PLACE_KINDS = frozenset({"city", "town", "place", "country"})
_INNER_DATELINE = re.compile(
    rf"(?:\(|-LRB-\s?)(?:{_AGENCIES})(?:[ /][A-Z][\w.]*){{0,2}}(?:\)|\s?-RRB-)\s?(?:--|[-–—])\s+(?=[\"'“‘`$£A-Z\d])"
)
_SPLIT_CITY = re.compile(rf"(?:(?:{_PICTURES}|BP) )?{_CITY} ?, [A-Z][a-z]{{1,5}}\.$")
_SPLIT_DASH = re.compile(r"(?:--|[—–])\s+(?=[\"'“‘`$£A-Z\d])")
_DATELINE_SENTENCES, _DATELINE_CHARACTERS = 8, 1_200


def furniture_end(
    text: str, start: int = 0, *, opening: bool = True, published: date | None = None
) -> tuple[int, bool]:
    """Where what stands before the sentence from `start` on ends, and whether the last of it is a dateline.

    Time stamps, links, credits of pictures and datelines are furniture before any sentence; a label such as "BREAKING:"
    at its very beginning, bylines and a place with a colon only before the first of a document (`opening`). All of them
    but the label may stand there twice.

    >>> text = "RABAT | Sat Feb 26, 2011 12:58 pm EST RABAT Feb 26 (Reuters) - The unrest has spread."
    >>> end, dated = furniture_end(text)
    >>> text[end:], dated
    ('The unrest has spread.', True)
    >>> furniture_end("The unrest has spread.")
    (0, False)
    """
    dated = False
    label = label_end(text) if opening and not start and not _CAPTION.match(text) else 0
    if not start and any(map(text.__contains__, _IN_STAMP)):
        for stamp in _STAMP.finditer(text, 0, _STAMPED):
            if len(text) - stamp.end() > _FEWEST_CHARACTERS and _is_stamp(text, stamp, published):
                start = stamp.end()
    if len(text) - label > _FEWEST_CHARACTERS:
        start = max(start, label)
    patterns = [_FURNITURE, _CREDIT, _DATELINE]
    if opening:
        patterns += [_BY_STAFF, _BYLINE, _PLACE_DATELINE]
    for _ in range(_ROUNDS):
        before = start
        for pattern in patterns:
            match = pattern.match(text, start)
            if (
                match
                and pattern is _PLACE_DATELINE
                and not _is_place(match["city"] + match["state"].replace(",", " "))
            ):
                continue  # a warning, a rumor or a speaker: not to be cut
            if match and len(text) - match.end() > _FEWEST_CHARACTERS:
                start, dated = match.end(), pattern in (_DATELINE, _PLACE_DATELINE)
        if start == before:
            break
    return start, dated


_IN_A_SENTENCE = re.compile(
    r"\b(?:the|an?|on|of|in|since|from|until|till|by|before|after|to|and|or|between|this|for|is|was|dated) $",
    re.IGNORECASE,
)


def _is_stamp(text: str, stamp: re.Match[str], published: date | None) -> bool:
    """Whether a date is the page's, not one that a sentence tells of: it has the time of day, with its zone or to the
    second, or is the day of publication, whose year no sentence gives."""
    clock = stamp["clock"] or ""
    if "|" in clock or clock.rstrip()[-1:].isalpha() or clock.count(":") > 1:
        return True
    if published is None or _IN_A_SENTENCE.search(text, max(0, stamp.start() - 12), stamp.start()):
        return False
    try:
        if stamp["numbers"]:
            first, second, year = map(int, stamp["numbers"].split("/"))
            days = [
                date(year % 100 + 2000, *pair) for pair in ((first, second), (second, first)) if pair[0] < 13
            ]
        else:
            month = _MONTHS.index((stamp["month"] or stamp["month_first"])[:3].capitalize()) + 1
            year = int(stamp["year"] or stamp["year_last"])
            days = [date(year, month, int(stamp["day"] or stamp["day_second"]))]
    except ValueError:
        return False
    return any(abs((day - published).days) <= 1 for day in days)


def label_end(title: str) -> int:
    """Where the label ends that says of news only that it is new; 0 where there is none, or nothing else.

    >>> title = "UPDATE 2-Ferry sinks off Nador"
    >>> title[label_end(title):], label_end("New ferry sinks off Nador"), label_end("BREAKING: ")
    ('Ferry sinks off Nador', 0, 0)
    """
    match = _LABEL.match(title)
    return match.end() if match and match.end() < len(title) else 0


def _is_place(name: str) -> bool:
    words = gazetteers().words
    return any(not _PLACE_KINDS.isdisjoint(words.get(word, ())) for word in name.lower().split())


def loose_credit_end(text: str) -> int:
    """Where the credit of a picture ends that only its place makes one: at the head of a page, behind another sentence.

    >>> text = "BP In its efforts to contain the oil , the company uses a funnel ."
    >>> text[loose_credit_end(text):].startswith("In its efforts"), loose_credit_end("AP Moller has a new ship .")
    (True, 0)
    """
    match = _LOOSE_CREDIT.match(text)
    return match.end() if match else 0


def dateline_end(texts: Sequence[str]) -> tuple[int, int]:
    """Where a dateline ends among the first sentences of an article: (sentence, character); (0, 0) for none.

    Pages put caption, byline and a list of highlights before it, often without a full stop: what stands there is no
    sentence of the article. The dateline of an agency may stand anywhere in a sentence, another one at its beginning.

    >>> texts = ["Rebels walk past a tank.", "Rebels take town NATO denies -LRB- CNN -RRB- -- Rebels fought on."]
    >>> number, end = dateline_end(texts)
    >>> number, texts[number][end:]
    (1, 'Rebels fought on.')
    >>> dateline_end(["Workers lay booms on the beach.", "AP NEW ORLEANS -- Oil came ashore on Friday."])
    (1, 18)
    """
    for number, text in enumerate(texts[:_DATELINE_SENTENCES]):
        match = _INNER_DATELINE.search(text, 0, _DATELINE_CHARACTERS)
        end = match.end() if match else 0
        if not end and number:
            end, dated = furniture_end(text, loose_credit_end(text), opening=False)
            end = end if dated else 0
            split = _SPLIT_DASH.match(text) if _SPLIT_CITY.match(texts[number - 1]) else None
            end = split.end() if split else end
        if end and len(text) - end > 10:
            return number, end
    return 0, 0


def is_credited(text: str) -> bool:
    """Whether a sentence begins with the credit of a photo, so that the one before it is the caption.

    >>> is_credited("Photograph : PA Two Britons have now contracted swine flu ."), is_credited("Photographs show it.")
    (True, False)
    """
    return _CREDITED.match(text) is not None or _CREDIT.match(text) is not None


_CAPTION = re.compile(
    r"[A-Z][a-z]{2,8}\.?\s\d{1,2}\s?(?:,\s(?:19|20)\d\d\s?)?:\s"
    rf"|(?:{_DAY}|FILE|NEW|Above|Below|Left|Right|Top|Pictured|Caption|Photos?|Image|Video|Watch) ?: "
    r"|(?:Shown|Seen|Pictured)(?: here)? (?:is|are)\b|(?:Image|Photo|Picture) caption\b"
    r"|(?:An? )?(?:[Ff]ile|[Hh]andout|[Uu]ndated) (?:photo(?:graph)?|picture|image)\b"
    r"|(?:An? (?:image|photo(?:graph)?|picture|frame grab|screen ?shot|still)|Picture|Photo|Image) "
    r"(?:from|taken|shows|provided|released by)\b"
    r"|This (?:[A-Z]\w+\.? )?(?:\d{1,2} ?, )?(?:\d{4} )?(?:file |handout )?(?:photo|image)\b"
    r"|In (?:an?|some) (?:\w{1,20} )?stor(?:y|ies)\b.{0,80}? The Associated Press\b"
)
_CAPTION_INSIDE = re.compile(
    r"(?:-LRB-|\() ?(?:pictured|(?:(?:top|bottom|second|third) )?(?:left|right|centre|center)) ?(?:-RRB-|\)|,)"
    r"|\b[A-Z]\w{1,24} ?, (?:(?:from|far|top|bottom|second|third) )?(?:left|right|center|centre) ?,"
    rf"|(?!^){_DAY} ?, [A-Z][a-z]{{2,8}}\.? \d{{1,2}} ?, (?:19|20)\d\d\b"
)
_IN_THIS = re.compile(
    r"[Ii]n this (?:(?:file|handout|undated|combination|aerial|video|[A-Z][a-z]+\.?|\d\d?|,|\d{4}) ?){0,5}"
    r"(?:photo(?:graph)?|image|picture|frame grab)\b(?!-)"
)
_IN_CAPTION_INSIDE = ("pictured", "left", "right", "center", "centre", "day,", "day ,")
"""Whatever `_CAPTION_INSIDE` finds holds one of these."""
_CAPTION_CHARACTERS = 400
_SEEN = re.compile(
    r"\b(?:is|are) (?:seen|pictured|shown) (?:here|in|on|at|from|near|during|behind|through|outside|inside|along|off|"
    r"over|above|below|with|next|before|leaving|arriving|standing|walking|sitting|holding|burning|spraying)\b"
)
_IN_SEEN = (" seen ", " pictured ", " shown ")
_DATED = re.compile(
    rf"(?<!since )(?<!from )(?<!until )(?<!before )(?<!after )(?P<month>{_MONTH}) (?P<day>\d{{1,2}})"
    r"(?: ?, (?P<year>(?:19|20)\d\d))? ?\.?$"
)
_NEAR_DAYS = 366
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NOT_PRESENT = int(
    WordKind.PAST | WordKind.PERFECT | WordKind.MODAL | WordKind.FUTURE | WordKind.SAYING | WordKind.FIRST
)
_IN_CAPTIONS = frozenset({"is", "are", "was", "were", "has", "have", "had"})


def is_caption(text: str, start: int = 0, published: date | None = None) -> bool:
    """Whether a sentence, which proper begins at `start`, describes the picture beside an article and is none of it.

    It begins with a date, a day or a word like "File" and a colon, says who is on the left or what "is seen" where,
    speaks of "this photo", gives weekday and date with the year, tells in the present and ends with a date that is past
    on the day of publication (`published`), or follows "By the Staff" and says in the present what is to be seen. An
    agency's note on an earlier story is none of it either.

    >>> is_caption("April 29 , 2010 : Workers in Orange Beach lay booms to protect the beach .")
    True
    >>> is_caption("A ship lays booms in the Gulf of Mexico May 8 .", published=date(2010, 5, 9))
    True
    >>> is_caption("By the CNN Wire Staff Libyan Muslims perform their prayer Tuesday in Benghazi .")
    True
    >>> is_caption("By the CNN Wire Staff Rebels said they had taken the town .")
    False
    """
    if _CAPTION.match(text) or (start and _CAPTION.match(text, start)):
        return True
    proper = text[start:] if start else text
    if "n this " in text and (
        _IN_THIS.match(text) or _IN_THIS.match(text, start) or _IN_THIS.search(proper, 0, _CAPTION_CHARACTERS)
    ):
        return True
    if any(map(proper.__contains__, _IN_CAPTION_INSIDE)) and _CAPTION_INSIDE.search(
        proper, 0, _CAPTION_CHARACTERS
    ):
        return True
    if published and _is_dated_present(proper, published):
        return True
    seen = any(map(proper.__contains__, _IN_SEEN)) and _SEEN.search(proper, 0, _CAPTION_CHARACTERS)
    if seen and _tells_present(proper):
        return True
    match = _BY_STAFF.match(text)
    return match is not None and not any(
        token in _IN_CAPTIONS or is_verb(token) for token in text[match.end() :].split()
    )


def _is_dated_present(text: str, published: date) -> bool:
    if not text.rstrip(" .\n")[-1:].isdigit():
        return False
    match = _DATED.search(text, max(0, len(text) - 24))
    if not match or not _tells_present(text[: match.start()]):
        return False
    try:
        month = _MONTHS.index(match["month"][:3]) + 1
        day = date(int(match["year"] or published.year), month, int(match["day"]))
    except ValueError:
        return False
    return 0 <= (published - day).days < _NEAR_DAYS


def _tells_present(text: str) -> bool:
    words = text.lower().split()
    return len(words) > 4 and not any(
        WORD_KINDS.get(word, 0) & _NOT_PRESENT or (word.endswith("ed") and len(word) > 4) for word in words
    )


_POINTS = re.compile(
    r"(?:here(?:['’]s| is| are)|these are|below (?:is|are)) "
    r"(?:an? |the |our |some |all |what\b|how\b|where\b|why\b|who\b)"
    r"|(?:you can )?(?:read|see|watch|find|listen to|follow|view) [^.?!]{1,100} (?:here|below)\b"
    r"|[^.?!]{1,60} has (?:written|posted|recorded) [^.?!]{1,100} (?:here|below)[.:]?$",
    re.IGNORECASE,
)
_IN_POINTS = ("here", "below", "these are")
"""Whatever `_POINTS` finds holds one of these."""


def points_to_page(text: str) -> bool:
    """Whether a sentence says what the page around it holds, and is no news.

    >>> points_to_page("These are the key developments from day 1,452."), points_to_page("These are hard days")
    (True, False)
    """
    low = text.lower()
    return any(map(low.__contains__, _IN_POINTS)) and _POINTS.match(text) is not None


_ELLIPSES = ("...", "…", " ..", ". . .", "…]", "...]", "... ]", "...)", "…)")


def is_cut_short(text: str) -> bool:
    """Whether a page breaks the sentence off: it ends with an ellipsis.

    >>> is_cut_short("Negotiators met in Geneva on Tuesday, with Washington pressing Kyiv to act…"), is_cut_short("No.")
    (True, False)
    """
    return text.rstrip().endswith(_ELLIPSES)
