"""The guides of docs/ as pages of a running service."""
