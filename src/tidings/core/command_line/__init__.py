"""What all verbs share: lines on standard error, options, a browser to open."""
