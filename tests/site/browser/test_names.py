"""Tests that share a server in one process: each may use any name."""

import pytest
from playwright.sync_api import Browser

from tests.site.visiting import Guest, House, sign_up, visit


@pytest.mark.parametrize("test", ["first", "second"])
def test_a_name_can_be_used_by_several_tests(house: House, browser: Browser, test: str) -> None:
    """Which tests run in one process is left to chance, so names of old accounts are free."""
    assert test in ("first", "second")
    Guest(house.app, "Bodil")
    with visit(browser, house) as page:
        sign_up(page, "Birger")


def test_a_name_that_is_taken_fails_at_once(house: House, browser: Browser) -> None:
    """Within one test a name belongs to one account; a second one is no time-out but a failure."""
    Guest(house.app, "Bodil")
    with pytest.raises(AssertionError, match="taken"):
        Guest(house.app, "Bodil")
    with (
        visit(browser, house, expected="422|409") as page,
        pytest.raises(AssertionError, match="Bodil"),
    ):
        sign_up(page, "Bodil")
