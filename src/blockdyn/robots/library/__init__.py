"""The library returns robots by name, from files, and from their descriptions in diagrams."""
