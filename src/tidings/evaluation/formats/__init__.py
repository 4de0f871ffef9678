"""Formats of the field's other tasks: linked sentences, value runs, entity rankings, CrisisFACTS."""
