"""Functional Mock-up Units: runs of diagrams that other simulation tools carry out."""
