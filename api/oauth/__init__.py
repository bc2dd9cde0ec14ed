"""OAuth 2: how apps of others get tokens, and the pages on which people agree to it."""
