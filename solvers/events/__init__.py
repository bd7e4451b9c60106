"""Zero crossings found and located in a step, and timers."""
