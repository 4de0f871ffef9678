# What other wings use of this one: file by file.

from . import bundled as bundled
from .inbox import StoredInbox as StoredInbox, followed_to as followed_to, open_inbox as open_inbox
from .items.item_reading import (
    Reading as Reading,
    is_foreign as is_foreign,
    open_reading as open_reading,
    piped_content as piped_content,
)
from .items.pile import Pile as Pile
from .own.documents import (
    DocumentLine as DocumentLine,
    build_document as build_document,
    pool_documents as pool_documents,
    pooled_time as pooled_time,
    read_documents as read_documents,
    write_documents as write_documents,
)
from .own.events import (
    EventLine as EventLine,
    build_event as build_event,
    event_json as event_json,
    read_event_file as read_event_file,
    write_event as write_event,
)
from .own.judgment_lines import ClusterLine as ClusterLine, lines_of as lines_of
from .own.judgments import (
    JUDGMENT_FILES as JUDGMENT_FILES,
    read_own_judgments as read_own_judgments,
    write_own_judgments as write_own_judgments,
)
from .pages.page import page_item as page_item
from .pages.places import files_below as files_below
from .polling.feed_lists import (
    feed_addresses as feed_addresses,
    is_address as is_address,
    is_polled as is_polled,
)
from .polling.filling import FillingThread as FillingThread, chosen_clock as chosen_clock
from .polling.live import Polling as Polling, inbox_source as inbox_source
from .polling.manners import FeedState as FeedState, Manners as Manners
from .polling.once import fetch as fetch
from .polling.poller import Poller as Poller, PollingStatus as PollingStatus
from .registry import (
    DOCUMENT_FORMATS as DOCUMENT_FORMATS,
    Format as Format,
    FormatList as FormatList,
    formats_beside as formats_beside,
    is_own_folder as is_own_folder,
)
from .source import (
    NONE_YET as NONE_YET,
    Order as Order,
    Outlook as Outlook,
    Raw as Raw,
    Source as Source,
    difference as difference,
    fingerprint as fingerprint,
    look_ahead as look_ahead,
)
from .streams import (
    document_file as document_file,
    document_parts as document_parts,
    read_events as read_events,
    read_judgments as read_judgments,
    read_stream as read_stream,
    read_stream_places as read_stream_places,
    read_stream_times as read_stream_times,
)
from .tables.fields import FIELDS as FIELDS, parse_columns as parse_columns
from .trec.folder import (
    NAMES as NAMES,
    read_trec_judgments as read_trec_judgments,
    read_values_beside as read_values_beside,
    write_trec_judgments as write_trec_judgments,
)
from .trec.judgments import read_pool_table as read_pool_table, write_pool as write_pool
from .trec.topics import read_topics_and_values as read_topics_and_values, write_topics as write_topics
