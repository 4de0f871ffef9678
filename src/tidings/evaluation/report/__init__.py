"""What measuring gives, for people to read: tables, charts and pages of runs, comparisons and studies."""
