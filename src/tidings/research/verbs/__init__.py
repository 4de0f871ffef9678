"""The verbs that learn."""
