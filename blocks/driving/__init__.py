"""Drivers: blocks that steer wheeled vehicles and set their speed."""
