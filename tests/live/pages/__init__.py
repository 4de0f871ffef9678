"""Live pages, and what they are served by."""
