"""The rows of grants and codes, for layers that do not use the store."""

from store.people.oauth_codes import AuthorizationCode
from store.people.oauth_devices import Device
from store.people.oauth_grants import Grant

__all__ = ["AuthorizationCode", "Device", "Grant"]
