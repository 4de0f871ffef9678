"""What experiments give, for people to read."""
