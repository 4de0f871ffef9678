"""Alarms: which outputs are worth one, and how they reach whoever wants to know."""
