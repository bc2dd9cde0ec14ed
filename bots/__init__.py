"""House bots: from a seat's own view to an action. Pure like the engine, and nothing hidden."""
