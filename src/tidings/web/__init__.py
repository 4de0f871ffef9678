"""What people see in a browser (needs the extra `web`): the assessors' desk, and live pages."""
