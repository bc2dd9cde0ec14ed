"""Connected apps: programs of others that act for an account with its consent (OAuth 2)."""
