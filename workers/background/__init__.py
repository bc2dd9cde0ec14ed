"""Background work as threads and processes: the deliverer, the clock, the house."""
