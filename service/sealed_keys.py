"""Keys of the service that are stored encrypted with SECRET_KEYS."""

from service import encryption
from service.desk import Desk
from store import sealed_keys


def reseal(desk: Desk, name: str) -> None:
    """Encrypt a key with the first of SECRET_KEYS, so that older ones can be dropped."""
    with desk.database.reading() as tx:
        stored = sealed_keys.find(tx, name)
    if stored is None or encryption.uses_first_key(desk.settings, stored):
        return
    key = encryption.decrypt(desk.settings, stored)
    if key is not None:
        with desk.database.writing() as tx:
            sealed_keys.reseal(tx, name, stored, encryption.encrypt(desk.settings, key))
