"""Games in which bots play: the house at its seats, games between bots, ratings, self-play."""
