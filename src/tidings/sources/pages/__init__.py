"""Pages of outlets, plain texts, and folders and archives of such files."""
