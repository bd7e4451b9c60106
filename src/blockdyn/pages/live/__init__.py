"""Live runs: watched, touched and gone back in while they go; a page served on this machine, a widget."""
