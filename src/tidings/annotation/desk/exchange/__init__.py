"""What comes to the desk from files, and what goes from it into files."""
