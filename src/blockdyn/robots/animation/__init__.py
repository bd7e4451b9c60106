"""Animation: a robot drawn at many instants of its motion, from one point of view."""
