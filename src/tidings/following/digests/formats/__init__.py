"""Timelines by days: one file each, and folders of them."""
