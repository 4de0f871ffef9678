"""Every format in one list, those of all tasks and their judgments among them."""

from __future__ import annotations

from tidings.following import RUN_FORMATS
from tidings.sources import FormatList, formats_beside

FORMATS = FormatList(*RUN_FORMATS.values(), *formats_beside(__file__))
"""Every format, by its name."""

CONVERTIBLE = tuple(each.name for each in FORMATS.values() if each.becomes)
"""The names of the formats that `tidings convert` reads."""
