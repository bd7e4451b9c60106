"""Run a program: arguments, progress, interruption and outcome."""
