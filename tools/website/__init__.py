"""The documentation as a site: the pages of `docs/`, and those that each build writes from the code."""
