"""Following: time order, decision intervals, which event wants what, and the loop itself."""

from tidings.following.stream.loop import follow_stream as follow_stream
