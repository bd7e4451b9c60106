"""Estimators compute attitude, position and biases from a vehicle's sensors."""
