"""The map from five papers to commands: docs/papers.md."""
