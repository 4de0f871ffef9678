"""Feeds polled, politely and forever: what to ask when (decided), asking it (done), and what came kept in an inbox.

answers ──▶ manners ──▶ requests ──▶ client ──▶ inbox ──▶ live
           (decide when)  (one a host)   (ask)    (keep)    (follow)

`manners` and `requests` decide and touch nothing: no clock, no network, no store. `client` asks, `poller`
does what they say, and `live` gives what the inbox keeps as a source.
"""
