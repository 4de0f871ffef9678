"""Change Detection: which questions of a topic something changed on, day by day."""
