"""Touches change numbers of a run at exact instants, and can be changed again."""
