"""Variation: a run with the derivatives of its state, by some directions, through steps, events and ticks."""
