"""Signed links in letters, and the pages behind them."""
