"""Estimation: motion of a vehicle from several sampled sensors."""
