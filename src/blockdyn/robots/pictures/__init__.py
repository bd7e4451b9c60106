"""Pictures of robots: one pose, and the space that the tool reaches."""
