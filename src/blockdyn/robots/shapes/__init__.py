"""Solids of robots and vehicles, drawn by films."""
