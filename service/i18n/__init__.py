"""The catalogue of texts, and the formats of dates and times."""
