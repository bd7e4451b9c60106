"""Blocks that control when subsystems work."""
