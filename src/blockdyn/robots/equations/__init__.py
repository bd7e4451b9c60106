"""The equations of one robot: its mechanics traced into straight-line code that folds the robot's numbers."""
