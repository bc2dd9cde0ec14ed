"""What every request passes: reading, authentication, limits, headers, problems."""
