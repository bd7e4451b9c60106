"""Pages: what a browser shows of runs."""
