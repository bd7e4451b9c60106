"""The results of a sweep on disk: written whole, found whole, or found out."""
