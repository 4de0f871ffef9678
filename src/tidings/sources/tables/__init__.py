"""Tables of articles: CSV and its kin, JSON, JSON Lines, Parquet, and the files of collections that are like them."""
