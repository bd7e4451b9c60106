"""Analysis: linear models of diagrams, operating points, and what is known of a system from them."""
