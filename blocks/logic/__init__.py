"""Logic: comparisons and crossings."""
