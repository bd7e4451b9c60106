"""Sensors: sampled instruments of a vehicle, with noise and drift."""
