"""Requests in the form that Authlib reads: each parameter once, from the query or from the form.

Authlib's own Flask requests mix the two, so that a token could be sent in a URL, which gets logged.
"""

from collections import defaultdict
from collections.abc import Iterable

from authlib.oauth2 import OAuth2Request
from authlib.oauth2.rfc6749 import InvalidRequestError, OAuth2Payload

from api.http.desk import desk
from api.http.forms import URLENCODED, current_form
from api.http.request import current_request

PARAMETERS = (
    *("response_type", "client_id", "redirect_uri", "scope", "state"),
    *("code_challenge", "code_challenge_method"),
    *("grant_type", "code", "code_verifier", "refresh_token", "device_code"),
    *("token", "token_type_hint", "client_secret"),
)
"""The parameters that we read; others are ignored, as the standard demands."""


class Payload(OAuth2Payload):
    """The parameters of a request, each of which is given once."""

    def __init__(self, fields: dict[str, str]) -> None:
        self._fields = fields

    @property
    def data(self) -> dict[str, str]:
        """The parameters by name."""
        return self._fields

    @property
    def datalist(self) -> defaultdict[str, list[str]]:
        """The parameters by name, each as a list."""
        return defaultdict(list, {name: [value] for name, value in self._fields.items()})


class ProtocolRequest(OAuth2Request):
    """A request whose parameters are read already."""

    def __init__(self, fields: dict[str, str]) -> None:
        request = current_request()
        # A proxy may have ended TLS: what counts is the address at which people reach us.
        url = f"{desk().settings.public_url}{request.path}"
        super().__init__(request.method, url, headers=request.headers)
        self.payload = Payload(fields)

    @property
    def args(self) -> dict[str, str]:
        """The parameters of an authorization request."""
        return self.payload.data

    @property
    def form(self) -> dict[str, str]:
        """The parameters of all other requests."""
        return self.payload.data


def query_request() -> ProtocolRequest:
    """Read an authorization request, which a browser sends as a query."""
    return ProtocolRequest(_fields(current_request().args.lists()))


def form_request() -> ProtocolRequest:
    """Read a request that an app sends as a form."""
    if current_request().get_data() and current_request().mimetype != URLENCODED:
        raise InvalidRequestError(f"Send a form with Content-Type {URLENCODED}.")
    form = current_form()
    return ProtocolRequest(_fields((name, form.all(name)) for name in PARAMETERS if name in form))


def _fields(lists: Iterable[tuple[str, list[str]]]) -> dict[str, str]:
    fields = {}
    for name, values in lists:
        if name not in PARAMETERS:
            continue
        if len(values) > 1:
            raise InvalidRequestError(f"The parameter {name} is given twice.")
        if not all(" " <= char <= "~" for char in values[0]):
            raise InvalidRequestError(f"The parameter {name} has characters other than ASCII.")
        if values[0]:  # an empty one counts as left out
            fields[name] = values[0]
    return fields
