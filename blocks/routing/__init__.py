"""Routing: signals combined and split, at no cost when running."""
