"""The follower on Apache Spark's Structured Streaming: extra `spark`, and Java 17 or 21."""
