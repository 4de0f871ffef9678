"""TREC Temporal Summarization: topics, nuggets, matches, pools, runs, official scores."""
