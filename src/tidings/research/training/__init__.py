"""Learning from judgments: events with their streams, trainers, splits and experiments."""
