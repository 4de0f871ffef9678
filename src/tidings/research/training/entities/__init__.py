"""Learning to recognise, rank and weigh names and the entities that they stand for."""
