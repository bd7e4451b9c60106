"""The results of a sweep on disk: written atomically, with damage detected."""
