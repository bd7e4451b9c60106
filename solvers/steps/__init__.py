"""One step: stages, error control, dense output."""
