"""A tool guided by a surface, with friction in the joints."""
