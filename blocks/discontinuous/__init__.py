"""Discontinuities: modes, frozen within a step and changed at located events."""
