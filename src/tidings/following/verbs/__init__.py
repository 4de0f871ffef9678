"""The verbs that follow and read."""
