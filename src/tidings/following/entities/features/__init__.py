"""Salience and informativeness of a day's entities: a table of small functions, and the matrix that they make."""
