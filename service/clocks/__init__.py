"""Clocks of games: pace, deadlines, absences, time zones, and the calendar feed."""
