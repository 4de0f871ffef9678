"""What was followed, for people to read: timelines, values and names, on a terminal and on pages."""
