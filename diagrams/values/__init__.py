"""A path names a place in a diagram, and another value there changes its program."""
