"""What people judge, and how judgments come about."""
