"""The operations of the REST API, one module a resource."""
