"""Games: tables, invitations, moves, reading; `bots/` has the house, bot games and ratings."""
