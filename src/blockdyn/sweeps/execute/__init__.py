"""Scenarios run: tasks, lanes, threads, processes and clusters."""
