"""A game in words and numbers, for pages, letters and the command line."""
