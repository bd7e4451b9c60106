"""The loop: step, look for events, write, accept; compiled once, left and entered again."""
