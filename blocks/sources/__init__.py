"""Sources: signals that come from nowhere but time."""
