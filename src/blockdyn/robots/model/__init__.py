"""A robot consists of joints, links and poses; transforms return a changed copy."""
