"""Tells what has changed to everybody who waits for it."""

from service.memory.waiters import Waiters


def of_game(game: str) -> str:
    """The topic of a game: a move, somebody who comes or goes, a message."""
    return f"game:{game}"


def of_account(account: str) -> str:
    """The topic of an account: its decisions, games, messages, tokens and seats."""
    return f"account:{account}"


class News:
    """Publishes topics after the commit of what they are about."""

    def __init__(self, waiters: Waiters) -> None:
        self._waiters = waiters

    def publish(self, *topics: str) -> None:
        """Wake those who wait for one of these topics. Returns at once and never fails."""
        self._waiters.wake(*topics)
