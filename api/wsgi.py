"""Builds the Flask application for a desk."""

from functools import partial

from flask import Flask

from api.app import create_app
from api.http.app_state import app_state
from service import readiness
from service.desk import Desk
from service.people import tokens


def app_at(desk: Desk) -> Flask:
    """Build the application that uses this desk."""
    app = create_app(
        desk.settings,
        desk,
        caller_of=partial(tokens.caller_of, desk),
        ready=partial(readiness.faults, desk),
        refusing=partial(readiness.refusing_providers, desk),
    )
    with app.app_context():
        app_state().metrics.include(desk.move_counter)
    return app
