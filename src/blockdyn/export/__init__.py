"""Runs of diagrams as files that need no Python: pages that simulate."""
