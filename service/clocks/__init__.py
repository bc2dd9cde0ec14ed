"""Time in a game: pace, deadlines, absences, time zones, the calendar."""
