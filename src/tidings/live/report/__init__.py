"""News in mails and pages."""
