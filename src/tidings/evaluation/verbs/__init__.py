"""The verbs that measure and compare."""
