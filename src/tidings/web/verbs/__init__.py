"""What the verbs of both sites share."""
