"""What keeps the desk its own: passwords, headers, and requests that come from other sites refused."""
