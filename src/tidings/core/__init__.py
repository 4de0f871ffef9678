"""Records, errors, protocols, text, files and the store: what every wing rests on."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
