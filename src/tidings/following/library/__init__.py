"""Following from a program: `tidings.follow`, `Tracker` and what they take."""
