"""Figures show robots, vehicles, maps and paths."""
