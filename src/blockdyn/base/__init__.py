"""What every package stands on: the root of all errors, places in files, YAML as data."""
