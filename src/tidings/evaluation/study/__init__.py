"""Nuggets against clusters on a doubly judged collection, as Baruah, McCreadie and Lin studied them (CIKM 2017)."""
