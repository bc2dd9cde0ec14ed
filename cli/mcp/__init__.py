"""An MCP server with which AI agents read games, and play them with accounts of bots."""
