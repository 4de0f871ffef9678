"""What is emitted: updates, values, rankings and the cards of runs, read and written."""
