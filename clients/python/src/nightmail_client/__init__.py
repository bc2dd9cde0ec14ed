"""A client for Nightmail: sign in, play, wait, and check that the cards were fair."""

from nightmail_client._async.client import AsyncNightmail
from nightmail_client._async.game import AsyncGame
from nightmail_client._async.sign_in import (
    async_revoke,
    async_sign_in_with_browser,
    async_sign_in_with_device,
)
from nightmail_client._sync.client import Nightmail
from nightmail_client._sync.game import Game
from nightmail_client._sync.sign_in import revoke, sign_in_with_browser, sign_in_with_device
from nightmail_client.errors import (
    AmbiguousMove,
    ApiError,
    BadRequest,
    Conflict,
    Forbidden,
    GameOver,
    Gone,
    IllegalMove,
    InvalidLog,
    NightmailError,
    NotAwaited,
    NotFound,
    ServiceFailed,
    SignInFailed,
    Stale,
    TooManyRequests,
    Unauthenticated,
    Unreachable,
)
from nightmail_client.notation import MoveText
from nightmail_client.oauth import DeviceCode
from nightmail_client.streams import StreamEvent
from nightmail_client.tokens import Tokens
from nightmail_client.verification import VerifiedLog, verify_log

__all__ = [
    "AmbiguousMove",
    "ApiError",
    "AsyncGame",
    "AsyncNightmail",
    "BadRequest",
    "Conflict",
    "DeviceCode",
    "Forbidden",
    "Game",
    "GameOver",
    "Gone",
    "IllegalMove",
    "InvalidLog",
    "MoveText",
    "Nightmail",
    "NightmailError",
    "NotAwaited",
    "NotFound",
    "ServiceFailed",
    "SignInFailed",
    "Stale",
    "StreamEvent",
    "Tokens",
    "TooManyRequests",
    "Unauthenticated",
    "Unreachable",
    "VerifiedLog",
    "async_revoke",
    "async_sign_in_with_browser",
    "async_sign_in_with_device",
    "revoke",
    "sign_in_with_browser",
    "sign_in_with_device",
    "verify_log",
]
