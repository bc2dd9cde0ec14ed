"""Mail that comes in: who sent it, what it asks for, what becomes of it."""
