"""Touches: numbers of a run that change while it goes, at exact instants, and can be changed again."""
