"""Games: opening and joining tables, invitations, moves, reading, house bots, ratings."""
