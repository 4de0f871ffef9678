"""tidings' own formats: documents, events, judgments, updates as JSON Lines."""
