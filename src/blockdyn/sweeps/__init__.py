"""A sweep runs many scenarios of one diagram on all cores or a cluster, with statistics and pictures."""
