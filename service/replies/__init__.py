"""Incoming mail: parsing, authenticating the sender, carrying out replies, bounces."""
