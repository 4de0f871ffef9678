"""Live pages: what followed events tell, as it is told."""
