"""Routing: signals combined and split, at no cost during a run."""
