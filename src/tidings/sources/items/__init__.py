"""What gives documents over time: other people's files understood, and piles of them put in order.

contents ──▶ items ──▶ documents ──▶ in order of time
(formats)   (formats)  (documents)   (pile)
"""

from tidings.sources.items.pile import Pile
from tidings.sources.items.reading import Reading, is_foreign, open_reading

__all__ = ["Pile", "Reading", "is_foreign", "open_reading"]
