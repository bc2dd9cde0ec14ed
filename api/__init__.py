"""HTTP in, HTTP out: the REST interface, and the frame around every request."""
