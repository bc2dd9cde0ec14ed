from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.http.json_body import DEEPEST, MOST_BYTES
from tests.api.framing import client

JSON = "application/json"


@pytest.fixture(scope="module")
def web() -> FlaskClient:
    """A client of the test application."""
    return client()


def sent(web: FlaskClient, body: str | bytes, kind: str | None = JSON) -> TestResponse:
    """Send a body and return the response."""
    return web.post("/v1/echo", data=body, content_type=kind)


def got(answer: TestResponse) -> Any:
    """Return the echoed values."""
    assert answer.json is not None
    return answer.json["got"]


def refused(answer: TestResponse, code: str = "unreadable", status: int = 400) -> str:
    """Return the detail of a refusal, which must be a complete problem."""
    assert answer.json is not None, answer.text
    assert (status, code) == (answer.status_code, answer.json["code"])
    detail: str = answer.json["detail"]
    return detail


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("[" * 30_000, f"The body is nested more than {DEEPEST} deep."),
        ('{"bag": ' + "[" * 20 + "]" * 20 + "}", "The body is nested more than 20 deep."),
        ('{"a":' * 13_000, f"The body is nested more than {DEEPEST} deep."),
        ('{"n": ' + "9" * 5_000 + "}", "“n” must be a number that fits into 64 bits."),
        ('{"n": ' + "9" * 4_000 + "}", "“n” must be a number that fits into 64 bits."),
        ('{"n": 9223372036854775808}', "“n” must be a number that fits into 64 bits."),
        ('{"n": -9223372036854775809}', "“n” must be a number that fits into 64 bits."),
        ('{"bag": [0, NaN]}', "“bag[1]” must be a finite number."),
        ('{"bag": {"a": Infinity}}', "“bag.a” must be a finite number."),
        ('{"bag": -1e999}', "“bag” must be a finite number."),
        ('{"n": 1, "n": 2}', "“n” appears twice in one object."),
        ('{"bag": {"x": 1, "x": 1}}', "“x” appears twice in one object."),
        (r'{"text": "a\u0000b"}', "“text” contains a NUL character."),
        (r'{"bag": {"a\u0000": 1}}', "A key in “bag” contains a NUL character."),
        (r'{"text": "\ud800"}', "“text” contains an incomplete character."),
        (r'{"bag": ["\udfff"]}', "“bag[0]” contains an incomplete character."),
        ('{"text": "\x00"}', "The body is not JSON: Invalid control character at; look at line 1"),
        ("[]", "The body must be a JSON object: {…}."),
        ("null", "The body must be a JSON object: {…}."),
        ('"n"', "The body must be a JSON object: {…}."),
        ("{", "The body is not JSON: Expecting property name"),
        ('{"n": 1} {}', "The body is not JSON: Extra data; look at line 1, column 10."),
        ("\ufeff{}", "The body is not JSON: Expecting value; look at line 1, column 1."),
        (b'{"text": "\xff"}', "The body is not UTF-8; look at byte 11."),
        (b'{"text": "\xed\xa0\x80"}', "The body is not UTF-8; look at byte 11."),
        ('{"n": 1}'.encode("utf-16"), "The body is not UTF-8; look at byte 1."),
        ('{"n": 1}'.encode("utf-32-le"), "The body is not JSON: "),
    ],
    ids=range(27),
)
def test_a_body_that_is_no_clean_json_object_is_unreadable(
    web: FlaskClient, body: str | bytes, detail: str
) -> None:
    """Deep nesting, long numbers, NaN, duplicate keys, NUL, other encodings: 400 with the place."""
    assert detail in refused(sent(web, body))


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ('{"n": 7.9}', "n"),
        ('{"n": 7.0}', "n"),
        ('{"n": "7"}', "n"),
        ('{"n": true}', "n"),
        ('{"n": null}', "n"),
        ('{"flag": 1}', "flag"),
        ('{"flag": "yes"}', "flag"),
        ('{"text": 7}', "text"),
        ('{"other": 7}', "other"),
    ],
)
def test_a_field_takes_what_is_meant_and_nothing_else(web: FlaskClient, body: str, at: str) -> None:
    """7.9 and "7" are not integers, and unknown fields are refused, with their place."""
    answer = sent(web, body)

    assert refused(answer).startswith(f"{at}: ")
    assert answer.json is not None
    assert [at] == [fault["at"] for fault in answer.json["errors"]]


def test_every_fault_is_listed(web: FlaskClient) -> None:
    """One response lists all faults of a body."""
    answer = sent(web, '{"n": "x", "flag": 0, "odd\\u202e": 1}')

    assert answer.json is not None
    assert ["n", "flag", "odd�"] == [fault["at"] for fault in answer.json["errors"]]
    assert "There are 3 faults in all." in refused(answer)


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ('{"n": 9223372036854775807}', {"n": 2**63 - 1}),
        ('{"n": -9223372036854775808}', {"n": -(2**63)}),
        ('{"bag": ' + "[" * 19 + "]" * 19 + "}", None),
        ('{"text": "' + "[{" * 100 + '\\""}', {"text": "[{" * 100 + '"'}),
        (r'{"text": "\ud83d\ude82"}', {"text": "🚂"}),
        ('{"bag": 0.5}', {"bag": 0.5}),
        ("", {}),
        ('{"action": {"type": "draw_blind"}}', {"action": {"type": "draw_blind"}}),
    ],
)
def test_a_clean_body_is_read(web: FlaskClient, body: str, read: dict[str, Any] | None) -> None:
    """Bodies at the limits are accepted; a missing body counts as an empty object."""
    answer = sent(web, body)

    assert 200 == answer.status_code
    assert read is None or read == {k: v for k, v in got(answer).items() if k in read}


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "a/b/c"])
def test_a_body_that_does_not_say_json_is_not_read(web: FlaskClient, kind: str | None) -> None:
    """A wrong content type is answered with 415, not with missing fields."""
    refused(sent(web, '{"n": 1}', kind), "unsupported_media_type", 415)


def test_a_charset_beside_the_content_type_does_no_harm(web: FlaskClient) -> None:
    """JSON is read as UTF-8, with or without a charset."""
    assert 1 == got(sent(web, '{"n": 1}', "application/json; charset=utf-8"))["n"]


def test_a_large_body_is_refused(web: FlaskClient) -> None:
    """A body of 64 KiB is accepted, one byte more is not."""
    frame = len('{"text": ""}')

    assert 200 == sent(web, '{"text": "' + "x" * (MOST_BYTES - frame) + '"}').status_code
    refused(sent(web, '{"text": "' + "x" * (MOST_BYTES - frame + 1) + '"}'), "too_large", 413)
    refused(sent(web, b"x" * 20_000_000, "text/plain"), "too_large", 413)


def test_a_large_body_of_unknown_length_is_refused(web: FlaskClient) -> None:
    """Reading a chunked body stops at 64 KiB."""
    answer = web.post(
        "/v1/echo",
        input_stream=BytesIO(b" " * (MOST_BYTES + 1)),
        content_type=JSON,
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )

    refused(answer, "too_large", 413)


@pytest.mark.parametrize(
    "query",
    [
        "nonsense=1",
        "after=x",
        "after=1_000",
        "after=%2B1",
        "after=7.5",
        "after=",
        "after=99999999999999999999",
        "after=%EF%BC%91",
        "after=1&after=2",
        "mine=1",
        "board=%00",
        "board=%ED%A0%80",
        "board=%FF",
        "%00=1",
        "board=" + "x" * 5000,
    ],
)
def test_an_odd_query_is_unreadable(web: FlaskClient, query: str) -> None:
    """Unknown, repeated, overlong or malformed query parameters are refused."""
    refused(web.get(f"/v1/echo/x?{query}"))


def test_a_query_is_read(web: FlaskClient) -> None:
    """Query parameters are parsed into integers, booleans and text."""
    answer = web.get("/v1/echo/x?after=-57&mine=true&board=k%C3%B6ln")

    assert {"after": -57, "mine": True, "board": "köln", "thing": "x"} == got(answer)


def test_a_query_is_refused_where_none_is_taken(web: FlaskClient) -> None:
    """An operation without query parameters refuses a query string."""
    refused(web.get("/v1/versioned?after=1"))


@pytest.mark.parametrize(
    "path",
    [
        "/v1/echo/%00",
        "/v1/echo/a%00b",
        "/v1/echo/%ED%A0%80",
        "/v1/echo/%FF",
        "/v1/echo/a%20b",
        "/v1/echo/" + "x" * 65,
        "/v1/lax/" + "x" * 2000,
        "/v1/lax/a%00b",
        "/v1/lax/%FF",
        "/v1/echo/x/",
        "//v1/echo/x",
        "/v1//echo",
        "/v1/echo/..%2f..%2fetc",
    ],
)
def test_an_odd_address_is_not_found(web: FlaskClient, path: str) -> None:
    """Malformed ids and extra slashes are answered with 404, without redirects."""
    refused(web.get(path), "not_found", 404)


@pytest.mark.parametrize(
    ("header", "versions"),
    [
        ('"57"', [57]),
        ('W/"57"', [57]),
        ('"57", W/"58"', [57, 58]),
        ('"57","x"', [57]),
        ('"x"', []),
        ('"99999999999999"', []),
        ("*", None),
        (None, None),
    ],
)
def test_if_match_names_versions(
    web: FlaskClient, header: str | None, versions: list[int] | None
) -> None:
    """If-Match is parsed in every form that clients and proxies send."""
    headers = {} if header is None else {"If-Match": header}

    assert versions == got(web.post("/v1/echo", headers=headers))["versions"]


@pytest.mark.parametrize("header", ["57", '"57', "", '"57" "58"', '"a\x00"', 'w/"57"', '"é"', ","])
def test_a_garbled_if_match_is_unreadable(web: FlaskClient, header: str) -> None:
    """A malformed If-Match is refused, not ignored."""
    answer = web.post("/v1/echo", environ_overrides={"HTTP_IF_MATCH": header})

    assert 'in quotes, such as "57"' in refused(answer)


@pytest.mark.parametrize(
    ("header", "status"),
    [('"57"', 304), ('W/"57"', 304), ('"56", "57"', 304), ("*", 304), ('"56"', 200), ("57", 200)],
)
def test_whoever_has_a_version_is_not_sent_it_again(
    web: FlaskClient, header: str, status: int
) -> None:
    """If-None-Match with the current tag is answered with 304; both responses have the ETag."""
    answer = web.get("/v1/versioned", headers={"If-None-Match": header})

    assert (status, '"57"') == (answer.status_code, answer.headers["ETag"])
    assert (status == 304) == (answer.data == b"")


@pytest.mark.parametrize("key", ["k", "a b", "~" * 255])
def test_an_idempotency_key_is_printable_ascii(web: FlaskClient, key: str) -> None:
    """An Idempotency-Key is passed on unchanged."""
    assert key == got(web.post("/v1/echo", headers={"Idempotency-Key": key}))["key"]


@pytest.mark.parametrize("key", ["", "~" * 256, "k\x00", "k\x7f", "é"])
def test_an_odd_idempotency_key_is_unreadable(web: FlaskClient, key: str) -> None:
    """Empty, overlong and unprintable Idempotency-Keys are refused."""
    refused(web.post("/v1/echo", environ_overrides={"HTTP_IDEMPOTENCY_KEY": key}))
