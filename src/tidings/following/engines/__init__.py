"""Engines that carry followers over many machines: what any of them needs, and a folder for each.

A document is read into what it offers to the events (`offers`), that is brought to where a shard of them is followed,
and there `ShardHost` lets the followers decide, in the order of time. An engine brings the offers there, keeps the
parts of a shard between two calls, and says how far time has come. Nothing else is asked of it, so that the outputs of
an event are those of the follow loop on the same documents.
"""
