"""The user's own functions as blocks."""
