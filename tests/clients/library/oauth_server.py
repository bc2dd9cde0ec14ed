"""A service that issues tokens by OAuth 2, in as few lines as the standards allow."""

import json
import secrets
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

Form = dict[str, str]
Answer = tuple[int, dict[str, Any]]
WELL_KNOWN = "/.well-known/oauth-authorization-server"


class OAuthServer:
    """Grants everything at once; what it was asked is kept for the test."""

    def __init__(self) -> None:
        self.forms: list[Form] = []
        """Every form that was posted."""
        self.changes: dict[str, Any] = {}
        """What the metadata says differently."""
        self.lifetime = 3600
        self.pending: list[str] = []
        """The errors that a device gets before its token."""
        self.redirects: dict[str, str] = {}
        """What the redirect says differently."""
        self.token = ""
        """The access token that is valid now."""
        self.refusing_together = threading.Barrier(1)
        """How many requests are refused at the same time."""
        self._challenges: dict[str, Form] = {}
        self._refresh = ""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator["OAuthServer"]:
        """Serve until the test is over."""
        thread = threading.Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def agree(self, address: str) -> str:
        """Agree on the consent page at this address; return where the browser is sent."""
        query = dict(parse_qsl(urlsplit(address).query))
        assert f"{self.url}/authorize" == address.partition("?")[0]
        assert ("code", "S256") == (query["response_type"], query["code_challenge_method"])
        code = secrets.token_hex(8)
        self._challenges[code] = query
        answer = {"code": code, "state": query["state"], "iss": self.url, **self.redirects}
        answer = {name: value for name, value in answer.items() if value}
        return f"{query['redirect_uri']}?{urlencode(answer)}"

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "device_authorization_endpoint": f"{self.url}/device",
            "revocation_endpoint": f"{self.url}/revoke",
            "authorization_response_iss_parameter_supported": True,
        } | self.changes

    def _device(self, _: Form) -> Answer:
        return 200, {
            "device_code": "d",
            "user_code": "WDJB-MJHT",
            "verification_uri": f"{self.url}/device-page",
            "expires_in": 60,
            "interval": 1,
        }

    def _token(self, form: Form) -> Answer:
        match form["grant_type"]:
            case "authorization_code":
                asked = self._challenges.pop(form["code"])
                digest = sha256(form["code_verifier"].encode()).digest()
                challenge = urlsafe_b64encode(digest).rstrip(b"=").decode()
                fits = challenge == asked["code_challenge"] and all(
                    form[name] == asked[name] for name in ("client_id", "redirect_uri")
                )
            case "refresh_token":
                fits = form["refresh_token"] == self._refresh
            case _:
                if self.pending:
                    return 400, {"error": self.pending.pop(0)}
                fits = form["device_code"] == "d"
        if not fits:
            return 400, {"error": "invalid_grant", "error_description": "That does not fit."}
        self.token, self._refresh = secrets.token_hex(8), secrets.token_hex(8)
        return 200, {
            "access_token": self.token,
            "refresh_token": self._refresh,
            "token_type": "Bearer",
            "expires_in": self.lifetime,
            "scope": "read play",
        }

    def answer(self, path: str, form: Form) -> Answer:
        """Answer a form that is posted."""
        self.forms.append(form)
        match path:
            case "/token":
                return self._token(form)
            case "/device":
                return self._device(form)
            case "/revoke":
                self.token = ""
                return 200, {}
        return 404, {}

    def read(self, path: str, authorization: str) -> Answer:
        """Answer a request that reads something."""
        if path == WELL_KNOWN:
            return 200, self._metadata()
        if path == "/v1/me" and self.token and authorization == f"Bearer {self.token}":
            return 200, {"id": "ada", "name": "Ada"}
        self.refusing_together.wait(30)
        return 401, {"code": "unauthenticated", "detail": "No valid token.", "status": 401}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            """Speaks HTTP for the server."""

            def do_GET(self) -> None:
                """Answer a request."""
                self._send(*server.read(self.path, self.headers.get("Authorization", "")))

            def do_POST(self) -> None:
                """Answer a form."""
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._send(*server.answer(self.path, dict(parse_qsl(body))))

            def _send(self, status: int, document: dict[str, Any]) -> None:
                body = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        return Handler
