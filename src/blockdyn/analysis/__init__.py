"""Linear models of diagrams, operating points, and properties of a system that follow from them."""
