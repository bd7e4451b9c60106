"""Sweeps: many scenarios of one diagram, run on all cores or a cluster, with statistics and pictures."""
