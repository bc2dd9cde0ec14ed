"""Elements that styles hide or strike out."""

import pytest

from service.replies.reading import html_styles
from service.replies.reading.html_styles import PLAIN, Style


def _style(declarations: str) -> Style:
    return html_styles.style_of(html_styles.squeezed(declarations))


def _sheet(rules: str) -> html_styles.Sheet:
    return html_styles.sheet_of(f"<head><style>{rules}</style></head>")


@pytest.mark.parametrize(
    "declarations",
    [
        "display: none",
        "Visibility: Hidden !important",
        "opacity: 0.0",
        "color: red; font-size: 0px",
        "mso-hide: all",
        "height: 0; overflow: hidden",
        "position: absolute; left: -9999px",
        "transform: scale(0)",
    ],
)
def test_styles_that_hide(declarations: str) -> None:
    """An element that nobody can see is hidden, however that is written."""
    assert _style(declarations).is_hidden


@pytest.mark.parametrize(
    "declarations",
    ["", "display: block", "opacity: 0.5", "font-size: 10px", "height: 0", "margin-left: -5px"],
)
def test_styles_that_hide_nothing(declarations: str) -> None:
    """An element with ordinary styles stays as it is."""
    assert PLAIN == _style(declarations)


def test_white_text_needs_a_background() -> None:
    """White text is marked, and so is a background on which it can be read."""
    assert (True, False) == _style("color: #FFF")[2:]
    assert (True, True) == _style("color: white; background: navy")[2:]
    assert (False, False) == _style("color: #333; background-color: #ffffff")[2:]
    assert Style(is_struck=True) == _style("text-decoration: line-through")


@pytest.mark.parametrize(
    ("selector", "values"),
    [
        ("p", {}),
        (".old", {"class": "new old"}),
        ("div > p.old", {"class": "old"}),
        ("#gone", {"id": "gone"}),
        ("p[class=old]", {"class": "old"}),
        ("p[hidden]", {"hidden": ""}),
        ("*", {}),
    ],
)
def test_a_sheet_applies_to_what_it_selects(selector: str, values: dict[str, str]) -> None:
    """A rule applies to elements by name, class, id or attribute."""
    sheet = _sheet(f"{selector} {{ display: none }}")
    assert html_styles.applied(sheet, "p", values).is_hidden
    if selector not in ("p", "*"):
        assert PLAIN == html_styles.applied(sheet, "p", {"class": "other", "id": "other"})


def test_a_sheet_says_nothing_about_other_elements() -> None:
    """Comments, generated content and rules that hide nothing do not count."""
    for rules in ("p:before { display: none }", "/* p { display: none } */", "p { margin: 0 }"):
        assert PLAIN == html_styles.applied(_sheet(rules), "p", {})


def test_nothing_is_shown_of_what_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more rules than are looked at, or too long a rule, elements count as hidden."""
    long = "p { color: red; " + "-x: y; " * html_styles.LONGEST_RULE + "}"
    assert html_styles.applied(_sheet(long), "p", {}).is_hidden
    monkeypatch.setattr(html_styles, "MOST_RULES", 3)
    assert html_styles.applied(_sheet("a { color: red }" * 9), "p", {}).is_hidden
