"""Revision histories: what a page said at which time, as folders of texts, JSON Lines, and MediaWiki's two forms."""
