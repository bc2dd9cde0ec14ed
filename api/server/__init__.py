"""The ASGI server in front of the Flask application."""
