"""How a planning bot takes its turns: a module for each kind of choice."""
