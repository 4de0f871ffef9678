"""The published systems that are learned, a folder for each."""
