"""The use cases, for the API, the pages, the workers and the command line alike."""
