"""What happens without a request: delivering, keeping the clocks, taking mail in."""
