"""Speed and memory of tidings beside its peers: `make bench`."""
