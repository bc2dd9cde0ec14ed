"""Signed links in letters, and what a choice on their pages does."""
