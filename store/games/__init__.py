"""Games, their seats, logs, talk and ratings."""
