"""Standing events, followed for ever by a process of its own."""
