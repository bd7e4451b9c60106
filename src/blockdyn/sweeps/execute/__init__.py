"""Scenarios run as tasks, on lanes, threads, processes and clusters."""
