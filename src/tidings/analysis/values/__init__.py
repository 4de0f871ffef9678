"""Numbers that news states of an event: how many died, were hurt, are missing, and what is held against each."""
