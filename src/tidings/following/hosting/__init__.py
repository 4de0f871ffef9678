"""Hosting: from settings to a run that is followed, kept and written, for whoever asks.

The command line, the demo, a page and a distributed engine all call `host`; none of them sets up sources, a
store or an output of its own.
"""

DEFAULT_SYSTEM = "tidings"
"""The system that decides where none is named."""

DEFAULT_ENTITIES = "entities"
"""The system that ranks entities where none is named."""

DEFAULT_PACE = "up to 40/day"
"""How many updates events on the spot give, about, where neither a pace nor a system is asked for."""
