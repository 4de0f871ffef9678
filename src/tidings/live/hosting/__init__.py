"""Standing events, followed forever by a process of its own."""
