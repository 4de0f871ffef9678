"""What the two sites share: accounts, security, pages and serving (extra `web`)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
