# What other wings use of this one: file by file.

from .changes.answering import by_days as by_days
from .changes.formats import (
    Answer as Answer,
    ChangeRun as ChangeRun,
    Topic as Topic,
    is_day as is_day,
)
from .digests.making import make_digest as make_digest
from .digests.relevance import Rarity as Rarity, dot as dot, mean_of as mean_of
from .digests.states import give_other_figures as give_other_figures
from .digests.story import is_past_plan as is_past_plan
from .digests.timeline_files import (
    TimelineRun as TimelineRun,
    timeline_json as timeline_json,
    timeline_text as timeline_text,
    write_digests as write_digests,
)
from .engines.settings import EventVersions as EventVersions
from .engines.spark.frames import follow_frame as follow_frame
from .entities.attention import (
    LEAST_VIEWS as LEAST_VIEWS,
    WINDOW as WINDOW,
    read_views as read_views,
    title_candidates as title_candidates,
    view_outlier_ratio as view_outlier_ratio,
)
from .entities.days import EventDays as EventDays, Statistics as Statistics, bm25 as bm25
from .entities.event_days import DayEntity as DayEntity, EventDay as EventDay
from .entities.features.matrix import (
    ENTITY_FEATURES as ENTITY_FEATURES,
    EntityFeatures as EntityFeatures,
    FeatureMatrix as FeatureMatrix,
)
from .entities.features.table import ENTITY_FEATURE_GROUPS as ENTITY_FEATURE_GROUPS
from .entities.ranker import (
    Array as Array,
    EntityRanker as EntityRanker,
    Side as Side,
    in_order as in_order,
)
from .entities.ranking import (
    LinearKind as LinearKind,
    LinearRanker as LinearRanker,
    LinearWeights as LinearWeights,
    SideWeights as SideWeights,
    columns_of as columns_of,
    day_description as day_description,
    days_between as days_between,
    knots_of as knots_of,
    ranker_named as ranker_named,
)
from .entities.rivals import (
    SENTENCE_FEATURES as SENTENCE_FEATURES,
    SentenceRanker as SentenceRanker,
    SentenceRows as SentenceRows,
    SentenceWeights as SentenceWeights,
    Taer as Taer,
    sentences_of_entities as sentences_of_entities,
)
from .grouping.profiles import (
    document_weights as document_weights,
    nearest_stories as nearest_stories,
    profile_likeness as profile_likeness,
)
from .grouping.stored import (
    FollowedStories as FollowedStories,
    FollowedStory as FollowedStory,
    StoredStories as StoredStories,
    StoryLists as StoryLists,
    story_keeper as story_keeper,
    story_query as story_query,
)
from .grouping.story_tracker import (
    StoryTracker as StoryTracker,
)
from .grouping.summaries import (
    StorySummary as StorySummary,
    importance as importance,
    state_of as state_of,
)
from .hosting import DEFAULT_SYSTEM as DEFAULT_SYSTEM
from .hosting.article_query import query_of_article as query_of_article, read_article as read_article
from .hosting.digests import (
    files_of_streams as files_of_streams,
    open_story as open_story,
)
from .hosting.live import LiveSettings as LiveSettings, inbox_name as inbox_name, polling_into as polling_into
from .hosting.output import option_files as option_files
from .hosting.runs import host as host
from .hosting.settings import RunSettings as RunSettings
from .hosting.sources import (
    as_it_comes as as_it_comes,
    check_streams as check_streams,
    check_text as check_text,
    check_words as check_words,
    choose_events as choose_events,
    event_time as event_time,
    in_languages as in_languages,
    open_sources as open_sources,
    query_events as query_events,
    read_any as read_any,
)
from .library.arguments import (
    ArgumentTypeError as ArgumentTypeError,
    ArgumentValueError as ArgumentValueError,
    ReadingArgument as ReadingArgument,
    as_reading_options as as_reading_options,
    as_time as as_time,
    is_missing as is_missing,
    kind_of as kind_of,
    shorten as shorten,
)
from .library.digesting import digest as digest
from .library.documents import (
    TableRows as TableRows,
    as_id as as_id,
    build_frame as build_frame,
    rows_of as rows_of,
)
from .library.following import OutputStream as OutputStream, follow as follow
from .library.stories import stories as stories
from .library.tracker import Tracker as Tracker
from .outputs.outputs import (
    output_line as output_line,
    read_updates as read_updates,
    write_updates as write_updates,
)
from .outputs.runs import (
    RUN_FORMATS as RUN_FORMATS,
    card_path as card_path,
    read_runs as read_runs,
    with_cards as with_cards,
    write_runs as write_runs,
)
from .outputs.trec_runs import read_run as read_run
from .report.entities import (
    TYPE_NAMES as TYPE_NAMES,
    entity_track as entity_track,
    rankings_of_days as rankings_of_days,
)
from .report.figures import (
    CurrentValue as CurrentValue,
    StatedSource as StatedSource,
    current_values as current_values,
    known_figures as known_figures,
    outlet_name as outlet_name,
    show_value as show_value,
    source_of as source_of,
    support_words as support_words,
)
from .report.lookup import (
    choose_event as choose_event,
    choose_run as choose_run,
    event_updates as event_updates,
    known_texts as known_texts,
    of_event as of_event,
)
from .report.terminal import (
    LiveTimeline as LiveTimeline,
    median_latency_s as median_latency_s,
    print_headlines as print_headlines,
    print_timeline as print_timeline,
)
from .report.timeline import (
    Credit as Credit,
    Entry as Entry,
    NuggetFate as NuggetFate,
    TimelineReport as TimelineReport,
    Verdict as Verdict,
    build_timeline as build_timeline,
    pieces as pieces,
)
from .run_options import RunOptions as RunOptions
from .stream.kernel import FollowedEvent as FollowedEvent, FollowerError as FollowerError
from .stream.loop import (
    StreamRun as StreamRun,
    Tally as Tally,
    follow_stream as follow_stream,
    parse_interval as parse_interval,
)
from .systems.affinity import affinity_propagation as affinity_propagation
from .systems.assembly import assemble as assemble, standing_system as standing_system
from .systems.base import (
    GatedFollower as GatedFollower,
    Overlap as Overlap,
    QuerySystem as QuerySystem,
    StatefulFollower as StatefulFollower,
    SystemBase as SystemBase,
    build_gate as build_gate,
    check_language as check_language,
)
from .systems.changed_numbers import EmittedNumbers as EmittedNumbers
from .systems.decider import (
    as_decider as as_decider,
    innermost as innermost,
    ledger_in as ledger_in,
    replace_innermost as replace_innermost,
)
from .systems.features.extractor import (
    NAMES as NAMES,
    TEXT_FEATURE_GROUPS as TEXT_FEATURE_GROUPS,
    FeaturedSentence as FeaturedSentence,
    FeatureExtractor as FeatureExtractor,
)
from .systems.features.tags import tag as tag
from .systems.features.word_models import WordModels as WordModels
from .systems.interval_followers import (
    Batch as Batch,
    IntervalFollower as IntervalFollower,
    IntervalSystem as IntervalSystem,
    WaitingSentence as WaitingSentence,
)
from .systems.ledger import (
    LEFT_OUT_REASONS as LEFT_OUT_REASONS,
    Ledger as Ledger,
    LeftOut as LeftOut,
)
from .systems.registry import (
    describe as describe,
    learned_systems as learned_systems,
    make as make,
    register_system as register_system,
    spec_of as spec_of,
    terms_of as terms_of,
    with_option as with_option,
    with_terms as with_terms,
)
from .systems.tidings.candidates import (
    EMITTED_HALF_LIFE_S as EMITTED_HALF_LIFE_S,
    FRESH_S as FRESH_S,
    Limits as Limits,
)
from .systems.tidings.feature_state import FeatureState as FeatureState
from .systems.tidings.model import (
    EMITTED as EMITTED,
    TIDINGS_FEATURES as TIDINGS_FEATURES,
    WEIGHED as WEIGHED,
    AdditiveModel as AdditiveModel,
)
from .systems.tidings.text_features import RARE as RARE, TextReader as TextReader
from .values.stated import is_outdated as is_outdated, reconcile as reconcile
from .verbs.live_run import live_settings as live_settings
from .verbs.options import (
    chosen_pool as chosen_pool,
    only_query as only_query,
    reading_of as reading_of,
)
from .verbs.progress_line import reading_progress as reading_progress, steps_progress as steps_progress
from .verbs.run_report import repeat_lines as repeat_lines
