"""The story so far: an event by days, from all documents that are there, as timeline summarization does.

    documents ──▶ Story ──▶ ranked days ──▶ sentences of each ──▶ Digest
    (story.py)    (what is    (day_ranking)   (DATEWISE, CLUST,     (making.py)
                   about it)                   submodular, ours)

Unlike the systems beside it, a digest is no follower: it looks at everything at once, and is made again as the story
grows.
"""
