"""A program run: arguments, progress, interruption, and what came of it."""
