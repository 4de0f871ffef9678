"""What a text says: articles and their parts, names, numbers and times; encoders and language-model clients."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
