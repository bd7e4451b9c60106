"""Studies: models held against what others measured."""
