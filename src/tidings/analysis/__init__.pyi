# What other wings use of this one: file by file.

from .articles.as_written import as_written as as_written
from .articles.features import explains as explains, find_kind as find_kind
from .articles.furniture import label_end as label_end
from .articles.openings import Openings as Openings
from .articles.reader import (
    Article as Article,
    ArticleReader as ArticleReader,
    ArticleSentence as ArticleSentence,
    shipped_reader as shipped_reader,
)
from .articles.surfaces import Surfaces as Surfaces
from .articles.time_expressions import TimeExpression as TimeExpression, TimeReader as TimeReader
from .articles.time_words import MONTHS as MONTHS
from .judges.chat import ChatClient as ChatClient, chat_url as chat_url, short as short
from .judges.encoders import (
    encode_texts as encode_texts,
    open_encoder as open_encoder,
    unit_encoder as unit_encoder,
)
from .judges.questions import (
    NewsJudge as NewsJudge,
    Questions as Questions,
    news_judge as news_judge,
    one_line as one_line,
    read_pairs as read_pairs,
    shown_time as shown_time,
)
from .names.coreference import (
    Reference as Reference,
    aliases as aliases,
    bare_words as bare_words,
    gender_of as gender_of,
    keys_of as keys_of,
    resolve as resolve,
    same_entity as same_entity,
)
from .names.gazetteers import (
    BODY_WORDS as BODY_WORDS,
    PLACE_WORDS as PLACE_WORDS,
    ROLES as ROLES,
    TIMES as TIMES,
    TITLES as TITLES,
    Gazetteers as Gazetteers,
    demonyms as demonyms,
    gazetteers as gazetteers,
    short_form as short_form,
)
from .names.mentions import Recogniser as Recogniser, is_name as is_name
from .names.name_words import is_caseless as is_caseless
from .names.recogniser import NameRecogniser as NameRecogniser
from .names.tagging import TaggedLine as TaggedLine, tag_lines as tag_lines, token_spans as token_spans
from .names.weights import recogniser_named as recogniser_named, shipped_recogniser as shipped_recogniser
from .values.counts import (
    find_casualties as find_casualties,
    find_counts as find_counts,
)
from .values.gazetteer import (
    CityGazetteer as CityGazetteer,
    NamedPlace as NamedPlace,
    load_gazetteer as load_gazetteer,
    place_mentions as place_mentions,
)
from .values.happenings import Relevance as Relevance, mishaps as mishaps
from .values.mentions import find_mentions as find_mentions
from .values.numbers import (
    Mention as Mention,
    Quantity as Quantity,
    currency_of as currency_of,
    find_quantities as find_quantities,
    sum_in_words as sum_in_words,
)
from .values.scopes import (
    counts_patients as counts_patients,
    find_endings as find_endings,
    is_of_ongoing as is_of_ongoing,
    is_of_whole as is_of_whole,
    may_end as may_end,
    tells_an_end as tells_an_end,
)
