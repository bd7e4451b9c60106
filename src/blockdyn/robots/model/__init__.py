"""A robot: joints, links, poses, its table of numbers, and changes that make another robot."""
