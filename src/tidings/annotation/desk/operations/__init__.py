"""What acts at the desk mean: each operation is a function of what is there, and gives the changes it makes."""
