"""The classes that block, generated from `_async` by `python -m tools.client`."""
