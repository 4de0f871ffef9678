"""The assessors' desk: what people judge, and how it becomes a collection."""
