"""Documents in time: feeds, pages, tables, archives and TREC streams, polled or read once."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
