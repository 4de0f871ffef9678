"""`tidings`: tells a sentence when what it adds is worth the words it takes, as learned from judged events."""
