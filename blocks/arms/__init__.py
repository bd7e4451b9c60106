"""Blocks of robot arms: kinematics, dynamics, controllers."""
