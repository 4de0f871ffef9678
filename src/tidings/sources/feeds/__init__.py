"""Feeds of outlets: RSS, Atom, RDF and JSON Feed, and OPML lists of them."""
