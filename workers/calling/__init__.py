"""HTTP calls to foreign servers, on behalf of channels."""
