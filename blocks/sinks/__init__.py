"""Sinks: displays, records and checks of a run."""
