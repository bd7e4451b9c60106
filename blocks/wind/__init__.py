"""Wind: gusts, shear and turbulence, as velocities of the air in the world frame, z down."""
