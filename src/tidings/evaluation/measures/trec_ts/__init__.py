"""The measures of TREC Temporal Summarization 2013 to 2015, equal to the official scorers.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
                                └─explain(run, event)──▶ Explanation
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
