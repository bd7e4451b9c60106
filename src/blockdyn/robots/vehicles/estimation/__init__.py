"""A vehicle's sensors give estimates of its attitude, place and biases."""
