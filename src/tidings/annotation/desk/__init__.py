"""The assessors' desk without its pages: what acts change, imports and exports, queues, progress and effort."""
