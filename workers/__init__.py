"""Background work: deliveries, clocks, the house, and incoming mail."""
