"""Diagrams leave Python: as pages that simulate, as units for other tools, as C."""
