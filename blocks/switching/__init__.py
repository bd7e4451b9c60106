"""Blocks that control when subsystems are active."""
