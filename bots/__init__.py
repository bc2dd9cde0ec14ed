"""House bots: pure functions from a seat's view to an action; they see nothing hidden."""
