"""HTTP code shared by all requests: parsing, authentication, rate limits, headers, errors."""
