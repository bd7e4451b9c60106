"""Drawing: a diagram as a picture, laid out by ELK and printed as SVG, PNG or PDF."""
