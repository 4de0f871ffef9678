"""Asking servers of the web."""
