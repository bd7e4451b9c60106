"""A robot: joints, links, poses, its table of numbers, and what changes it into another."""
