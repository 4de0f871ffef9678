"""Live pages: the updates of followed events, as they are emitted."""
