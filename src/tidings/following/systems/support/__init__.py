"""Support: which outlets say again what was told, counted beside any system."""
