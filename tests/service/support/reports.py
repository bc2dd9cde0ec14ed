"""Reports about our own mail, as mail servers and feedback loops send them."""

ABOUT = "--b\r\nContent-Type: text/rfc822-headers\r\n\r\n{}\r\n--b--\r\n"


def bounce(status: str, recipient: str, action: str = "failed", original: str = "") -> bytes:
    """A delivery status notification (RFC 3464)."""
    return (
        "From: MAILER-DAEMON@mail.example.org\r\nSubject: Undelivered Mail\r\n"
        "Auto-Submitted: auto-replied\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nkeep all\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mail.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
        f"{ABOUT.format(original or 'Subject: your turn')}"
    ).encode()


def complaint(kind: str, original: str) -> bytes:
    """A feedback report (RFC 5965)."""
    return (
        "From: feedback@mail.example.org\r\nSubject: a complaint\r\n"
        "Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nkeep all\r\n"
        "--b\r\nContent-Type: message/feedback-report\r\n\r\n"
        f"Feedback-Type: {kind}\r\nUser-Agent: Loop/1\r\nVersion: 1\r\n\r\n"
        f"{ABOUT.format(original)}"
    ).encode()
