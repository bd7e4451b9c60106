"""What an ensemble can be asked: tables, statistics, pictures, a report."""
