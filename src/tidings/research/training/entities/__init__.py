"""Learning to recognise names: labelled corpora brought to one notion of a name, clusters of words, the field."""
