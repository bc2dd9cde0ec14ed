"""Reads what a person wrote in a mail: text, quotations, signatures and courtesies."""
