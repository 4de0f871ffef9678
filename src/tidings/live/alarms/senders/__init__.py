"""How an alarm is sent, a file for each kind of channel."""
