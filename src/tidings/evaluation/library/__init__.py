"""The public face: what `import tidings` offers, over the same calls that the command line makes.

Everything takes what a caller has (records, dicts, tables, paths) and says at the call what is wrong with it. The names
stand in `tidings` itself.
"""
