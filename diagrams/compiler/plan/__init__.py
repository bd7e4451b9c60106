"""From a flat diagram to a plan: sizes, order, rates, memory."""
