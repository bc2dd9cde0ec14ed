"""The generated parts of the library, and what it says about the API, agree with the document."""

import re
from typing import get_type_hints

import httpx
import pytest

from api.http.problems import TABLE
from nightmail_client import ApiError, AsyncGame, AsyncNightmail, Game, Nightmail, models
from nightmail_client.errors import BY_CODE, BY_STATUS, error_of
from nightmail_client.retries import takes_key
from tests.clients.documents import document, operations
from tools import client


def test_generated_files_are_up_to_date() -> None:
    """The models fit the OpenAPI document, and the blocking classes those that wait."""
    assert 0 == client.main("--check")


def test_every_schema_is_a_model() -> None:
    """Each schema of the document has a type with its fields."""
    for name, schema in document()["components"]["schemas"].items():
        model = getattr(models, name)
        if "properties" in schema:
            assert set(schema["properties"]) == set(get_type_hints(model)), name


def test_it_is_known_which_requests_take_a_key() -> None:
    """A POST has an `Idempotency-Key` if, and only if, the service remembers it."""
    keyed = "#/components/parameters/Idempotency-Key"
    for method, path, operation in operations(document()):
        named = [
            parameter.get("$ref", parameter.get("name"))
            for parameter in operation.get("parameters", [])
        ]
        takes = bool({keyed, "Idempotency-Key"} & {*named})
        assert takes == takes_key(method, re.sub(r"\{\w+\}", "x1", path)), (method, path)


@pytest.mark.parametrize("code", TABLE)
def test_every_code_is_an_exception(code: str) -> None:
    """Each code has the class of its own or of its status, never one that says less."""
    status = TABLE[code].status
    error = error_of(httpx.Response(status, json={"code": code, "detail": "No."}))

    assert (code, status, "No.") == (error.code, error.status, error.sentence)
    if code in BY_CODE or status in BY_STATUS or status >= 500:
        assert type(error) is not ApiError


@pytest.mark.parametrize(("waiting", "blocking"), [(AsyncNightmail, Nightmail), (AsyncGame, Game)])
def test_both_clients_have_the_same_names(waiting: type, blocking: type) -> None:
    """What one can do, the other can."""
    names = {name.replace("aclose", "close") for name in dir(waiting) if name[0] != "_"}

    assert names == {name for name in dir(blocking) if name[0] != "_"}
