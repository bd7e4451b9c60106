"""Figures of robots, vehicles, maps and paths."""
