"""Limits how often something happens to an account in a day, counted where its mail is counted."""

import hashlib

from store.database import Transaction
from store.notify import received_mail


def spend(tx: Transaction, account: str, subject: str, limit: int, now: str) -> bool:
    """Use one of an account's places for today; return False if none is left."""
    for number in range(limit):
        slot = hashlib.sha256(f"budget {subject} {now[:10]} {number}".encode()).digest()
        if not received_mail.is_stored(tx, account, slot):
            received_mail.add(tx, account, slot, now)
            return True
    return False
