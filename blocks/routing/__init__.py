"""Routing: signals put together and taken apart, at no cost when running."""
