"""A diagram is drawn as a picture, laid out by ELK and printed as SVG, PNG or PDF."""
