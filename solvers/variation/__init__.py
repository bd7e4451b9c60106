"""A run carries the derivatives of its state along some directions, through steps, events and ticks."""
