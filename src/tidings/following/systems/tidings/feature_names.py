"""What `tidings` weighs of a sentence, by name."""

__all__ = ["EMITTED", "TIDINGS_FEATURES", "WEIGHED"]

TIDINGS_FEATURES = (
    "words",
    "log_words",
    "stop_share",
    "capitals",
    "numbers",
    "query_stems",
    "query_share",
    "query_density",
    "log_index",
    "ends_well",
    "commas",
    "signs",
    "speaks_to_reader",
    "mean_weight",
    "stream_mean",
    "stream_nearest",
    "stream_share_3",
    "stream_share_5",
    "stream_top_5",
    "familiarity",
    "familiar_bigram",
    "familiar_names",
    "familiar_stems",
    "emitted",
    "emitted_nearest",
    "emitted_top_3",
    "emitted_contains",
    "covered",
    "uncovered",
    "new_numbers",
    "casualties_rise",
    "casualties_known",
)
"""The features by name, in their order.

- words, log_words: length; stop_share: share of stop words; capitals: capitalised words per word; numbers: stems in
  digits, and number words;
- query_stems, query_share, query_density: stems of the query in the sentence: their number, per stem of the query, per
  stem of the sentence;
- log_index: log(1 + place in the document); ends_well: a closing sign at its end; commas and signs (| : / @ # [ ] ...)
  per word; speaks_to_reader: I, you, we...; mean_weight: mean weight (rarity) of its stems;
- stream_*: cosines to the latest sentences about the event: their mean, the largest, the share above .3 and above .5,
  the mean of the five largest;
- familiarity, familiar_*: of its stems that are not in query or title, how many of the T latest sentences about the
  event hold them. The weighted mean of log((count + .02) / (T + 2)); log(1 + 100 × the largest share of T that one of
  its bigrams has); log(1 + 100 × the mean share that its capitalised stems have); how many stems a twentieth holds;
- emitted: updates emitted; emitted_nearest, emitted_top_3: the largest cosine to an update, the mean of the three
  largest; emitted_contains: the largest share of its weight that one update holds; covered: the share that they hold
  together; uncovered: the weight that none holds; new_numbers: numbers that no update holds;
- casualties_rise: it states more dead, injured, missing ... than any update did; casualties_known: it states such a
  number, and none that is higher.
"""

EMITTED = TIDINGS_FEATURES[TIDINGS_FEATURES.index("emitted") :]
"""Those that change with what is emitted."""

WEIGHED = (
    "words",
    "log_words",
    "capitals",
    "numbers",
    "query_share",
    "stream_mean",
    "stream_nearest",
    "familiarity",
    *EMITTED,
)
"""Those that worth hangs on beside relevance, which hangs on all but `EMITTED`."""
