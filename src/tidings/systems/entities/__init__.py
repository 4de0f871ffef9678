"""Systems that give an event's entities, day by day."""
