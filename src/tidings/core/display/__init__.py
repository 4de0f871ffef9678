"""What all pages and tables share: palette, clock, plain text, tables."""
