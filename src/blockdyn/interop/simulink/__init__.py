"""Simulink: models read from their files, with their parameters."""
