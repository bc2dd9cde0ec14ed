"""The commands that a reply may contain: one file for each, or for a few of a kind."""
