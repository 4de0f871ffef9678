# What other wings use of this one: file by file.

from .columns import UpdateColumns as UpdateColumns
from .command_line.browser import has_desktop as has_desktop, open_page as open_page
from .command_line.forms import form_of as form_of, show as show
from .command_line.output import (
    say as say,
    terminal_width as terminal_width,
    waiting as waiting,
    wrapped as wrapped,
)
from .command_line.shared_options import (
    FORM as FORM,
    PoolOption as PoolOption,
    QuietNotesOption as QuietNotesOption,
    ReportOption as ReportOption,
    RunsLenientOption as RunsLenientOption,
    StreamOption as StreamOption,
)
from .display.clock import (
    DAY_S as DAY_S,
    Clock as Clock,
    compact_duration as compact_duration,
    duration_words as duration_words,
    signed_duration as signed_duration,
)
from .display.escaping import latex_text as latex_text, markdown_text as markdown_text
from .display.palette import (
    PALETTE as PALETTE,
    css_variables as css_variables,
    dark_chart_rules as dark_chart_rules,
    light_chart_rules as light_chart_rules,
)
from .display.plain import percent as percent, safe_url as safe_url, score as score
from .display.tables import Cell as Cell, Markup as Markup, Table as Table, render as render
from .display.written_in import (
    language_attributes as language_attributes,
    set_apart as set_apart,
    set_apart_within as set_apart_within,
)
from .errors import (
    ConflictError as ConflictError,
    FormatError as FormatError,
    InterruptedRunError as InterruptedRunError,
    JudgeError as JudgeError,
    LateStreamError as LateStreamError,
    LimitError as LimitError,
    OutputError as OutputError,
    Problem as Problem,
    Problems as Problems,
    StoreError as StoreError,
    TidingsError as TidingsError,
    UsageError as UsageError,
)
from .files.compression import (
    Unpacked as Unpacked,
    compression_of as compression_of,
    plain_name as plain_name,
    sniff as sniff,
)
from .files.content import (
    Content as Content,
    Notes as Notes,
    ReadingOptions as ReadingOptions,
    as_content as as_content,
)
from .files.jsonl import (
    LATEST_TIME as LATEST_TIME,
    BadRecordError as BadRecordError,
    Int64 as Int64,
    explain as explain,
    read_jsonl as read_jsonl,
    read_jsonl_places as read_jsonl_places,
    seconds as seconds,
)
from .files.layout import (
    COMPRESSED as COMPRESSED,
    JSON_LINES as JSON_LINES,
    ending as ending,
    find as find,
    is_folder as is_folder,
    is_jsonl as is_jsonl,
    is_there as is_there,
    is_url as is_url,
    need_folder as need_folder,
    nothing_there as nothing_there,
    part_files as part_files,
)
from .files.places import FileOfLines as FileOfLines
from .files.reading import (
    LIMITS as LIMITS,
    MIB as MIB,
    Limits as Limits,
    decode_mixed as decode_mixed,
    is_regular as is_regular,
    named as named,
    open_bytes as open_bytes,
    open_raw as open_raw,
    peek_standard_input as peek_standard_input,
    read_lines as read_lines,
    read_text as read_text,
)
from .files.tables import (
    BadValueError as BadValueError,
    Field as Field,
    TextTable as TextTable,
    gc_paused as gc_paused,
    quote_value as quote_value,
    read_table as read_table,
)
from .files.writing import (
    STANDARD_OUTPUT as STANDARD_OUTPUT,
    escape_controls as escape_controls,
    failure as failure,
    make_folder as make_folder,
    need_folders as need_folders,
    refuse_overwriting as refuse_overwriting,
    write_atomically as write_atomically,
    write_jsonl as write_jsonl,
)
from .models.arrays import check_arrays as check_arrays, trees_shapes as trees_shapes
from .models.files import (
    Model as Model,
    prepared as prepared,
    read_model as read_model,
    write_model_bytes as write_model_bytes,
)
from .models.trees import Forest as Forest, Trees as Trees
from .processes import (
    OverrunError as OverrunError,
    Worker as Worker,
    WorkerError as WorkerError,
    serve as serve,
)
from .protocols import (
    AnswerBook as AnswerBook,
    ArticleDecider as ArticleDecider,
    AskingSystem as AskingSystem,
    Budget as Budget,
    BudgetedDecider as BudgetedDecider,
    Checkpoint as Checkpoint,
    ComparingDecider as ComparingDecider,
    Encoder as Encoder,
    Follower as Follower,
    Inbox as Inbox,
    Interest as Interest,
    Judge as Judge,
    JudgedDecider as JudgedDecider,
    MarkedDecider as MarkedDecider,
    Matcher as Matcher,
    Meanings as Meanings,
    PacedDecider as PacedDecider,
    PaceKeeper as PaceKeeper,
    Saved as Saved,
    SharingSystem as SharingSystem,
    Sorter as Sorter,
    System as System,
)
from .records.alarms import (
    Alarm as Alarm,
    AlarmChannel as AlarmChannel,
    AlarmItem as AlarmItem,
    AlarmKind as AlarmKind,
    AlarmRule as AlarmRule,
    ChannelKind as ChannelKind,
    ChannelSettings as ChannelSettings,
    Condition as Condition,
    Delivery as Delivery,
    EntityNew as EntityNew,
    QuietHours as QuietHours,
    SourceSilent as SourceSilent,
    UpdateAbove as UpdateAbove,
    ValueRose as ValueRose,
)
from .records.assessment import (
    FINAL as FINAL,
    SHARED as SHARED,
    TASKS as TASKS,
    Account as Account,
    Assignment as Assignment,
    Change as Change,
    DeskItem as DeskItem,
    DeskTopic as DeskTopic,
    JudgedObject as JudgedObject,
    LogEntry as LogEntry,
    Member as Member,
    Project as Project,
    Role as Role,
    Task as Task,
    judge_layer as judge_layer,
    layer_account as layer_account,
)
from .records.documents import (
    Document as Document,
    Event as Event,
    LateDocument as LateDocument,
    Place as Place,
    Position as Position,
    Sentence as Sentence,
    bare_event_id as bare_event_id,
)
from .records.inbox import (
    Arrival as Arrival,
    InboxChange as InboxChange,
    InboxContents as InboxContents,
    KeptFeed as KeptFeed,
    place_of as place_of,
    place_to as place_to,
)
from .records.items import Item as Item
from .records.judgments import (
    Cluster as Cluster,
    EntityGrade as EntityGrade,
    Judgments as Judgments,
    Match as Match,
    Nugget as Nugget,
    PooledUpdate as PooledUpdate,
    PossibleMatch as PossibleMatch,
)
from .records.outputs import (
    DailyTimeline as DailyTimeline,
    DataUsed as DataUsed,
    Digest as Digest,
    DigestDay as DigestDay,
    EntityRanking as EntityRanking,
    Evidence as Evidence,
    ModelCard as ModelCard,
    Output as Output,
    Run as Run,
    RunCard as RunCard,
    Support as Support,
    TimelineDay as TimelineDay,
    Update as Update,
    ValueUpdate as ValueUpdate,
)
from .records.revisions import Revision as Revision
from .records.standing import (
    ChangeKind as ChangeKind,
    EventChange as EventChange,
    EventLogEntry as EventLogEntry,
    MarkKind as MarkKind,
    ReaderMark as ReaderMark,
    StandingEvent as StandingEvent,
    StandingState as StandingState,
)
from .store.answers import StoredAnswers as StoredAnswers
from .store.backup import back_up as back_up, put_back as put_back
from .store.connect import (
    LockedError as LockedError,
    explained as explained,
    file_of as file_of,
    parse_store as parse_store,
    printable_url as printable_url,
)
from .store.digests import check_row as check_row, damaged as damaged, with_digest as with_digest
from .store.json_rows import (
    checked as checked,
    checked_part as checked_part,
    decode as decode,
    encode as encode,
    encode_value as encode_value,
    insert_numbered as insert_numbered,
    insert_row as insert_row,
    set_columns as set_columns,
)
from .store.kinds import is_store as is_store
from .store.lock import RunLock as RunLock, TakenError as TakenError
from .store.output_rows import (
    OUTPUTS as OUTPUTS,
    kind_of as kind_of,
    output_from_values as output_from_values,
)
from .store.reading import read_stored_runs as read_stored_runs
from .store.run import StoredRun as StoredRun
from .store.run_row import RunRow as RunRow, read_events as read_events, run_row as run_row
from .store.schema.desk import (
    desk_accounts as desk_accounts,
    desk_assignments as desk_assignments,
    desk_claims as desk_claims,
    desk_failures as desk_failures,
    desk_invitations as desk_invitations,
    desk_items as desk_items,
    desk_log as desk_log,
    desk_made_accounts as desk_made_accounts,
    desk_members as desk_members,
    desk_objects as desk_objects,
    desk_projects as desk_projects,
    desk_sessions as desk_sessions,
    desk_topics as desk_topics,
)
from .store.schema.following import (
    follower_states as follower_states,
    inbox_feeds as inbox_feeds,
    inbox_fresh as inbox_fresh,
    inbox_hosts as inbox_hosts,
    inbox_items as inbox_items,
    inbox_memory as inbox_memory,
    inbox_waiting as inbox_waiting,
    inboxes as inboxes,
    outputs as outputs,
    positions as positions,
    runs as runs,
)
from .store.schema.live import (
    live_alarms as live_alarms,
    live_channels as live_channels,
    live_events as live_events,
    live_log as live_log,
    live_readers as live_readers,
    live_rules as live_rules,
)
from .store.store import Store as Store, open_store as open_store
from .store.writing import (
    bound as bound,
    insert_rows as insert_rows,
    replace_rows as replace_rows,
    update_row as update_row,
)
from .tasks import (
    Fact as Fact,
    FactRun as FactRun,
    JudgedLink as JudgedLink,
    RankingRun as RankingRun,
    Request as Request,
    SentenceLinks as SentenceLinks,
    ValueRun as ValueRun,
)
from .text.date_fields import find_date as find_date
from .text.durations import format_duration as format_duration, parse_duration as parse_duration
from .text.language_model import (
    Additive as Additive,
    Dirichlet as Dirichlet,
    JelinekMercer as JelinekMercer,
    LanguageModel as LanguageModel,
    PaperAdditive as PaperAdditive,
    Smoothing as Smoothing,
)
from .text.language_table import (
    ICU as ICU,
    NAMES as NAMES,
    check_code as check_code,
    code_of as code_of,
    name_of as name_of,
)
from .text.languages import detect as detect, in_their_language as in_their_language
from .text.near_duplicates import NearDuplicates as NearDuplicates, jaccard as jaccard, shingles as shingles
from .text.quantiles import RunningQuantile as RunningQuantile
from .text.sentence_models import SentenceModels as SentenceModels, own_mean_log as own_mean_log
from .text.sentences import cut as cut, is_headline as is_headline, split as split
from .text.showing import clean as clean
from .text.stated_times import StatedTimes as StatedTimes
from .text.stopwords import ENGLISH as ENGLISH
from .text.time_zones import as_zone as as_zone
from .text.tokens import (
    LONGEST_TOKEN as LONGEST_TOKEN,
    Analyzer as Analyzer,
    analyzer_of as analyzer_of,
    shared_analyzer as shared_analyzer,
    tokens as tokens,
)
from .text.vectors import (
    Vector as Vector,
    VectorIndex as VectorIndex,
    cosine as cosine,
    unit_vector as unit_vector,
)
from .text.words import UNSPACED as UNSPACED, count_words as count_words, digits as digits
