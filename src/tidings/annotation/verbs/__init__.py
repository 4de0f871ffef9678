"""The verbs of `tidings assess`, and `study`."""
