"""Blocks that say when subsystems work."""
