"""Other people's files understood: items as documents, each once, and piles of them put in order.

contents ──▶ items ──▶ documents ──▶ in order of time
(formats)   (formats)  (documents)   (pile)
"""
