"""What live pages keep in a store."""
