"""Comparisons of blockdyn with its peers, as ratios taken in one run: `python -m tools.benchmarks`."""
