"""Following events: order, routing, systems that decide, digests, values and entities over time, runs and hosting."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
