"""Export diagrams to run without Python: as pages that simulate, as FMUs, as C."""
