"""The channel of Matrix: messages by an account of the operator."""
