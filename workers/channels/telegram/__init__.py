"""The channel of Telegram: messages by a bot of the operator."""
