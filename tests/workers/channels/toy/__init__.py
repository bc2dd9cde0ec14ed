"""A channel in one folder: it appends a line to a file for each notice."""
