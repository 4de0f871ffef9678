"""What learned systems look at: shared features of sentences on a stream, and the word models behind them."""
