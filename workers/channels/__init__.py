"""The channels on which people and programs are told, one folder each."""
