"""The assessors' desk as web pages (needs the extra `web`)."""
