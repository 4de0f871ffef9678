"""The verbs of live pages and of stores."""
