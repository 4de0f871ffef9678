"""Measures: how well updates cover an event, with the field's own definitions.

Each family is a folder or file here; none is loaded before it is asked for, since a scoring command needs only one.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
