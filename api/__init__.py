"""Everything that speaks HTTP: the REST API, the pages, and the server in front of them."""
