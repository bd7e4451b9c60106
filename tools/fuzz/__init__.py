"""Fuzzing: damaged files and random diagrams, of which nothing but blockdyn's own exceptions may come."""
