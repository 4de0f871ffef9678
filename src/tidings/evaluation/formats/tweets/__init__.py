"""Tweets: pushes, digests and timelines of real-time summarization, with their judgments."""
