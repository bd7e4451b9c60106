"""Sensors: what instruments of a vehicle show, sampled, with their noise and drift."""
