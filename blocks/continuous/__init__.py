"""Continuous blocks: their states are integrated over time."""
