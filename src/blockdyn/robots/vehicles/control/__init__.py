"""Controllers of multirotors, as functions of what is measured and what is wanted."""
