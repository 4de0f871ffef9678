"""Experiments: plans, splits, pieces of work in processes of their own, results."""
