"""Functional Mock-up Units: runs of diagrams in other simulation tools."""
