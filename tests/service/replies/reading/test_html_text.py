"""HTML pages as lines of text."""

import time

import pytest

from service.replies import quoting
from service.replies.reading import html_text

LETTER = "<p>tickets</p><table><tr><td>1.</td><td>Draw</td></tr></table>"
QUOTATIONS = {
    "blockquote": f"<blockquote>{LETTER}</blockquote>",
    "Apple": f'<blockquote type="cite">{LETTER}</blockquote>',
    "Gmail": f'<div class="gmail_quote">On … wrote:<blockquote>{LETTER}</blockquote></div>',
    "Gmail, container": f'<div class="gmail_quote gmail_quote_container">{LETTER}</div>',
    "Yahoo": f'<div id="ydp1yahoo_quoted_7" class="ydp1yahoo_quoted">{LETTER}</div>',
    "Thunderbird": '<div class="moz-cite-prefix">On 3 July Nightmail wrote:</div>'
    f"<blockquote>{LETTER}</blockquote>",
    "Proton": f'<div class="protonmail_quote">{LETTER}</div>',
    "GMX": f'<div name="quote" style="margin:10px">{LETTER}</div>',
    "left border": f'<div style="BORDER-LEFT: #ccc 1px solid; margin:0">{LETTER}</div>',
    "Zoho": f'<div class="zmail_extra">{LETTER}</div>',
    "Tutanota": f'<blockquote class="tutanota_quote">{LETTER}</blockquote>',
    "Spark": f'<div name="messageReplySection">{LETTER}</div>',
    "new Outlook": f'<div id="mail-editor-reference-message-container">{LETTER}</div>',
    "NetEase": f'<div id="isReplyContent">{LETTER}</div>',
    "signature of Gmail": f'<div class="gmail_signature">{LETTER}</div>',
    "signature of Outlook": f'<div id="Signature">{LETTER}</div>',
}
"""Quotations and signatures that end with their element."""
ENDS = {
    "Outlook": '<div style="border-top:solid #E1E1E1 1.0pt; padding:3.0pt 0in 0in 0in"></div>',
    "Outlook on the web": '<div id="divRplyFwdMsg" dir="ltr"><b>From:</b> x</div>',
    "Outlook, again answered": '<div id="x_divRplyFwdMsg"></div>',
    "Outlook app": '<div id="appendonsend"></div>',
    "Hotmail": '<hr id="stopSpelling">',
    "Zimbra": '<hr id="zwchr" data-marker="__DIVIDER__">',
    "our own letter": '<div class="nm_preheader">',
}
"""Elements after which everything is quoted, without an end."""


def _read(page: str) -> list[str]:
    """The lines of a page that are read as commands."""
    return quoting.written_lines(html_text.read_page(page).lines)


@pytest.mark.parametrize("program", QUOTATIONS)
def test_a_quotation_is_not_read_but_what_is_below_is(program: str) -> None:
    """Text above and below a quotation is read; the quotation is not, whatever wrote it."""
    page = f"<div>draw</div>{QUOTATIONS[program]}<div>status</div>"

    assert ["draw", "status"] == _read(page)


@pytest.mark.parametrize("program", ENDS)
def test_nothing_is_read_after_the_mark_of_an_original(program: str) -> None:
    """Some programs quote without an end; then nothing that follows is read."""
    assert ["draw"] == _read(f"<div>draw</div>{ENDS[program]}{LETTER}<div>status</div>")


def test_a_mark_within_a_quotation_ends_nothing() -> None:
    """The beginning of our letter within a quotation does not hide an answer below it."""
    page = '<blockquote><div class="nm_preheader">x</div>tickets</blockquote><p>draw</p>'

    assert ["draw"] == _read(page)


@pytest.mark.parametrize(
    "struck",
    [
        "<s>{}</s>",
        "<STRIKE>{}</STRIKE>",
        "<del>{}</del>",
        '<span style="text-decoration: line-through">{}</span>',
        '<span style="TEXT-DECORATION-LINE:\n line-through; color:red">{}</span>',
        "<p><s><b>{}</p></s>",
        '<div style="display:none">{}</div>',
        '<div style="display : none !important">{}</div>',
        '<div style="visibility:hidden">{}</div>',
        '<span style="font-size:0">{}</span>',
        '<span style="font-size: 0.0px;">{}</span>',
        "<p hidden>{}</p>",
        "<template>{}</template>",
        "<!-- {} -->",
    ],
)
def test_struck_out_and_hidden_text_is_not_read(struck: str) -> None:
    """Text that is crossed out or not shown makes no move."""
    assert ["tickets"] == _read(f"{struck.format('draw')}<p>tickets</p>")


def test_the_page_says_whether_text_is_struck_out() -> None:
    """Only text outside quotations counts, and only text."""
    assert html_text.read_page("<s>draw</s>").has_struck
    assert html_text.read_page('<p style="display:none">draw</p>').has_struck
    assert not html_text.read_page("<s> </s><style>p {}</style><title>x</title>").has_struck
    assert not html_text.read_page("<blockquote><s>draw</s></blockquote>").has_struck


def test_small_and_shown_text_is_read() -> None:
    """Small text, and text of other decorations, is read."""
    page = '<p style="font-size:0.8em">take 1</p><p style="text-decoration:underline">draw</p>'

    assert ["take 1", "draw"] == _read(page)


def test_what_is_struck_out_separates_words() -> None:
    """What stands before and after struck-out text is not joined into another word."""
    assert ["1 3"] == _read("1<s>2</s>3")


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<table><tr><td>1</td><td>2</td></tr></table>", ["1", "2"]),
        ("<table><tr><th>ta<td>ke 3</table>", ["ta", "ke 3"]),
        ("<ul><li>1<li>2</ul>", ["1", "2"]),
        ("<details open><summary>2</summary>draw</details>", ["2", "draw"]),
        ("<details><summary>2</summary>draw</details>", ["2"]),
        ("3<sup>1</sup>", ["3^1"]),
        ("3<sub>1</sub>", ["3_1"]),
        ("<dl><dt>1<dd>2</dl>", ["1", "2"]),
        ("1<hr>2", ["1", "2"]),
        ("<p>1<p>2", ["1", "2"]),
        ("<pre>1\n2</pre>", ["1", "2"]),
        ('<div style="white-space: pre-wrap">1\n2</div>', ["1", "2"]),
        ("1\n2", ["1 2"]),
        ("<b>dr</b><i>aw</i>", ["draw"]),
        ("<div><div><div>draw</div></div></div>", ["draw"]),
        ("<table><tr><td>1.</td><td>Draw a card</td></tr></table>", ["1. Draw a card"]),
    ],
)
def test_each_cell_and_item_is_a_line(page: str, lines: list[str]) -> None:
    """Cells, items and options are never joined; the number of a copied option is."""
    assert lines == _read(page)


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<div>draw</b></i></div>status", ["draw", "status"]),
        ("<blockquote>tickets<div>1</blockquote>draw", ["draw"]),
        ("<blockquote>tickets<p>draw", []),
        ("<blockquote><table><tr><td></div>1</td></tr></table></blockquote>draw", ["draw"]),
        ("<p hidden>1<p>draw", ["draw"]),
        ("<head><title>1</title><body>draw", ["draw"]),
        ("draw<![ CDATA[ x", ["draw"]),
        ("draw<p title='&#" + "9" * 9_000 + "'>tickets", ["draw"]),
        ("draw" + "<div>" * 1_000 + "tickets", ["draw"]),
        ("draw<p>" + "<b>" * 20_000 + "tickets", ["draw"]),
        ("draw<p " + "a " * 40_000 + ">tickets", ["draw"]),
        ("<style>" + "p {} " * 5_000 + "</style>draw", ["draw"]),
        ("draw<script>claim", ["draw"]),
    ],
)
def test_broken_pages_are_read_with_care(page: str, lines: list[str]) -> None:
    """Missing and surplus tags hide no quotation, and what is beyond all limits is not read."""
    assert lines == _read(page)


@pytest.mark.parametrize(
    "style",
    [
        *("text-decoration:line-through", "display:none", "DISPLAY : None !important"),
        *(
            "max-height:0;overflow:hidden",
            "height:0px; overflow: hidden",
            "opacity:.0",
            "opacity:0",
        ),
        *("opacity:0%", "position:absolute;left:-9999px", "text-indent:-9999px", "color:#fff"),
        *("color:white;background:#FFFFFF", "color:rgb(255, 255, 255)", "font-size:0"),
        *("color:transparent", "visibility:collapse", "transform:scale(0)", "font:0/0 serif"),
    ],
)
@pytest.mark.parametrize(
    "page",
    [
        '<p style="{}">draw</p>',
        "<style>.x{{{}}}</style><p class=x>draw</p>",
        '<style>p.other, p.x > span {{ {} }}</style><p class="x"><span>draw</span></p>',
        "<style><!-- /* x */ #x{{{}}} --></style><div ID=x><b>draw</b></div>",
        "<head><style>@media screen {{ b {{{}}} }}</style></head><p><b>draw</b></p>",
        "<style>[class~='x']{{{}}}</style><p class='y x'>draw</p>",
        "<style>p[data-x]{{{}}}</style><p data-x=1>draw</p>",
        "<p class=x>draw</p><style>.x{{{}}}</style>",
        "<style>body{{{}}}</style>draw",
    ],
)
def test_styles_that_hide_or_strike_out(style: str, page: str) -> None:
    """Text that a style hides or strikes out is not read, wherever the style stands."""
    read = html_text.read_page(page.format(style) + "<i></i>")

    assert "draw" not in " ".join(read.lines)
    assert read.has_struck


@pytest.mark.parametrize(
    "page",
    [
        *("<dialog>{}</dialog>", "<select><option>{}<option>1</select>", "<option>{}</option>"),
        *("<datalist><option>{}</datalist>", "<details>{}</details>", "<svg><text>{}</text></svg>"),
        *('<font color="#FFFFFF">{}</font>', '<div style="color:#fff"><b>{}</b></div>'),
    ],
)
def test_what_is_closed_or_unseen_is_not_read(page: str) -> None:
    """Menus, dialogues and closed details are not part of the text."""
    read = html_text.read_page(page.format("draw") + "<p>status</p>")

    assert ["status"] == list(filter(None, read.lines))
    assert read.has_struck


@pytest.mark.parametrize(
    "page",
    [
        '<div style="background:#222"><p style="color:#fff">draw</p></div>',
        '<p style="color:#fff;background-color:black">draw</p>',
        '<table bgcolor="#000000"><tr><td><font color="white">draw</font></td></tr></table>',
        '<div style="color:#fff"><p style="color:#000">draw</p></div>',
        "<style>.x{display:none}</style><p class=xx>draw</p>",
        "<style>p:after{visibility:hidden;height:0;overflow:hidden}</style><p>draw</p>",
        "<style>p.MsoNormal{margin:0cm;font-size:11.0pt}</style><p class=MsoNormal>draw</p>",
        '<p style="line-height:0;opacity:0.9;max-height:10px;overflow:hidden">draw</p>',
        '<p style="height:0">draw</p>',
        '<p style="left:-1px;margin:-5px">draw</p>',
    ],
)
def test_what_is_shown_is_read(page: str) -> None:
    """Styles that leave the text visible change nothing."""
    assert ["draw"] == _read(page)


@pytest.mark.parametrize(
    "sheet",
    [
        "}" * 500_000,
        "," * 500_000 + "{display:none}",
        "{" * 500_000,
        "/*" * 300_000,
        ".x{" + ";" * 500_000 + "}",
        ".x{opacity:" + "0" * 500_000 + "}",
        "[" * 500_000 + "{display:none}",
        ".x{display:none}" * 40_000,
        "</style ><style>" * 20_000,
    ],
    ids=lambda sheet: sheet[:20],
)
def test_a_huge_style_sheet_is_cheap(sheet: str) -> None:
    """Style sheets that were made to be expensive cost little time."""
    before = time.process_time()
    html_text.read_page(f"<style>{sheet}</style><p class=x>draw</p>")

    assert time.process_time() - before < 0.5
