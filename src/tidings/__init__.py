"""tidings: follow events through streams of documents, and measure how well it is done."""

__version__ = "0.1.0"

__all__ = ["__version__"]
