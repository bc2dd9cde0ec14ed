"""A deprecated operation says so in the document and in its responses: tested on a toy."""

from datetime import date

import pytest
from flask import Response
from flask.testing import FlaskClient

from api.app import BLUEPRINTS, create_app
from api.http.desk import json_response
from api.schemas.fields import ResponseSchema
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, deprecated, document
from service.settings import Settings

blueprint = Blueprint("toys", __name__, url_prefix="/v1/toys", description="Toys.")


class Toy(ResponseSchema):
    """A toy."""


@blueprint.route("/old")
@deprecated(date(2027, 1, 1), date(2027, 7, 1), instead="read_new_toy")
@blueprint.response(200, Toy)
def read_old_toy() -> Response:
    """Get a toy as it was."""
    return json_response({})


@blueprint.route("/older")
@deprecated(date(2027, 1, 1))
@needs("read")
@blueprint.response(200, Toy)
def read_older_toy() -> Response:
    """Get an older toy."""
    return json_response({})


@blueprint.route("/new")
@blueprint.response(200, Toy)
def read_new_toy() -> Response:
    """Get a toy."""
    return json_response({})


@pytest.fixture(scope="module")
def web() -> FlaskClient:
    """A client of an application with three operations, of which two are deprecated."""
    settings = Settings.of({"SECRET_KEYS": "k" * 32})
    app = create_app(
        settings, None, caller_of=lambda *_: None, ready=list, blueprints=(*BLUEPRINTS, blueprint)
    )
    return app.test_client()


def test_headers_of_a_deprecated_operation(web: FlaskClient) -> None:
    """Its responses have the day as a Unix time, the end as an HTTP date, and a link."""
    headers = web.get("/v1/toys/old").headers

    assert "@1798761600" == headers["Deprecation"]
    assert "Thu, 01 Jul 2027 00:00:00 GMT" == headers["Sunset"]
    assert '</docs/api-policy#deprecation>; rel="deprecation"; type="text/html"' == headers["Link"]


def test_an_error_has_the_headers_too(web: FlaskClient) -> None:
    """Also a refusal has them; without an end there is no Sunset."""
    refused = web.get("/v1/toys/older")

    assert 401 == refused.status_code
    assert "@1798761600" == refused.headers["Deprecation"]
    assert "Sunset" not in refused.headers


def test_other_operations_have_none(web: FlaskClient) -> None:
    """An operation that is not deprecated has none of them."""
    headers = web.get("/v1/toys/new").headers

    assert [] == [name for name in ("Deprecation", "Sunset", "Link") if name in headers]


def test_the_document_says_so(web: FlaskClient) -> None:
    """The document marks the operation, names its replacement, and lists the headers."""
    paths = document(web.application)["paths"]
    old, older = paths["/v1/toys/old"]["get"], paths["/v1/toys/older"]["get"]

    assert old["deprecated"] is True
    assert "Use `read_new_toy` instead. It stops working on 2027-07-01." in old["description"]
    assert {"Deprecation", "Link", "Sunset"} < old["responses"]["200"]["headers"].keys()
    assert "Sunset" not in older["responses"]["200"]["headers"]
    assert "deprecated" not in paths["/v1/toys/new"]["get"]


def test_an_end_before_the_beginning_is_a_mistake() -> None:
    """An operation cannot end before it is deprecated."""
    with pytest.raises(ValueError, match="cannot end before"):
        deprecated(date(2027, 7, 1), date(2027, 1, 1))
