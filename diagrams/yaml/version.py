"""Version of the YAML format, written in every file."""

VERSION = 1
