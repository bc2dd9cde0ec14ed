"""The catalogue of texts, and dates and times as people read them."""
