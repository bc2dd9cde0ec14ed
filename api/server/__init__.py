"""How the application is served."""
