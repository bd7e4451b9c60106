"""One comparison a file; each names its engines, its closed form and what is required of the ratio."""
