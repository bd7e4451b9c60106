"""Estimation: attitude, place and biases of a vehicle from what its sensors show."""
