"""Tracked values: how many died, were hurt, are missing, as it stands, from what many documents claim of an event."""
