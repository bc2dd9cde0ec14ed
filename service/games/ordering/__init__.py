"""Standing orders: given by players, judged at their decisions, hidden from everybody else."""
