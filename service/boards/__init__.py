"""Boards: finds maps, describes them to clients, and checks new ones."""
