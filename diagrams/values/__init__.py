"""Values: which place in a diagram a path names, and what another value there changes in its program."""
