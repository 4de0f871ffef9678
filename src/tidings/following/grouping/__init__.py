"""Stories: documents of a stream that report one development and what follows from it, grouped as they come."""
