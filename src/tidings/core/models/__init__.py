"""Learned weights: model files with their cards, those that come along (`weights/`), and what reads them."""
