"""The key pair with which web push messages are signed (VAPID, RFC 8292).

It is made once and stored in the database, encrypted with SECRET_KEYS: browsers bind their
subscriptions to the public key.
"""

import base64

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service import encryption
from service.desk import Desk
from store import sealed_keys

KEY_NAME = "web push"
"""The name of the key's row in the database."""
_CURVE = ec.SECP256R1()


def private_key(desk: Desk) -> ec.EllipticCurvePrivateKey:
    """Return the private key, which the first call makes.

    One that none of SECRET_KEYS can decrypt is replaced: the subscriptions that are bound to it
    cannot be decrypted either.
    """
    with desk.database.reading() as tx:
        stored = sealed_keys.find(tx, KEY_NAME)
    number = encryption.decrypt(desk.settings, stored) if stored else None
    return _derived(number) if number else _derived(_made(desk, stored))


def _made(desk: Desk, lost: bytes | None) -> bytes:
    """Make a private key and store it; return it, or that of another process that was quicker."""
    number = ec.generate_private_key(_CURVE).private_numbers().private_value.to_bytes(32)
    sealed = encryption.encrypt(desk.settings, number)
    with desk.database.writing() as tx:
        if lost is None:
            sealed_keys.add(tx, KEY_NAME, sealed, desk.now())
        else:
            sealed_keys.reseal(tx, KEY_NAME, lost, sealed)
        stored = sealed_keys.find(tx, KEY_NAME)
    return encryption.decrypt(desk.settings, stored or b"") or number


def _derived(number: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(number), _CURVE)


def public_key(desk: Desk) -> str:
    """Return the public key as browsers take it (`applicationServerKey`)."""
    key = private_key(desk).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")
