"""Results of an ensemble: tables, statistics, pictures, a report."""
