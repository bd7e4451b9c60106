"""Estimation: what a vehicle's sensors say together, sampled."""
