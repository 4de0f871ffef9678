"""Systems that give values instead of updates: the tracker, the baselines it has to beat, and one beside any system."""
