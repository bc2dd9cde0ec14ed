"""The webhook channel: signed requests to players' programs."""
