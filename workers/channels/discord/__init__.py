"""The channel of Discord: messages by the webhook of a channel there."""
