"""Boards: finding maps, describing them to clients, checking a new one."""
