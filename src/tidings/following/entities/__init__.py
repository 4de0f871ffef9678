"""Who and where matters in an event, day by day."""
