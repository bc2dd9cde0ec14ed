"""The classes that wait; `_sync` is generated from these files."""
