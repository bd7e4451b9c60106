"""Sinks: what a run shows, keeps and judges."""
