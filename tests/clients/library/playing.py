"""Accounts and moves for the tests of the library."""

from itertools import count

from nightmail_client import Nightmail, Tokens, models
from tests.clients.running import Service

numbers = count(1)


def token_of_newcomer(service: Service) -> str:
    """Create an account and return its token."""
    with Nightmail(service.url) as nightmail:
        account = nightmail.create_account(name=f"Passenger {next(numbers)}", kind="bot")
        assert isinstance(nightmail.connection.tokens, Tokens)
    return account["token"]["token"]


def claiming(decision: models.Decision) -> models.Entry:
    """Choose a claim if possible, so that games end soon."""
    claims = [entry for entry in decision["menu"] if entry["group"] == "claim"]
    return (claims or decision["menu"])[0]
