"""Pages that show runs in a browser."""
