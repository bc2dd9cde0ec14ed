"""Work without a request, as threads and processes: delivering, clock, house."""
