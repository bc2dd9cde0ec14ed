"""Who gets a seat at a table: reservations, the host and the link, and how a game starts."""
