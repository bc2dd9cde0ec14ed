"""The webhook channel: signed requests to programs of our players."""
