"""Every package builds on this one: the root of all errors, places in files, YAML as data."""
