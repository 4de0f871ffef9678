"""The assessors' desk."""
