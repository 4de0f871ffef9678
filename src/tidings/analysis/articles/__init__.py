"""What a document is and what its sentences are: parts, the day they speak of, whether they state and stand alone."""
