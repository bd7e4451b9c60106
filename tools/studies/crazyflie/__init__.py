"""A Crazyflie 2.1 identified from two measured flights and predicted on others."""
