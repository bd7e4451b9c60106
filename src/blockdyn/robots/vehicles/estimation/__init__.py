"""Estimation: attitude, place and biases of a vehicle from its sensors."""
