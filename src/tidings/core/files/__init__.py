"""What every format shares: bounded reading, compression, atomic writing, tables, JSON Lines, layouts."""
