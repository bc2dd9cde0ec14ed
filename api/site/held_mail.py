"""The page with a member's mail that was not carried out."""

from flask import Response

from api.http.desk import desk
from api.site.visit import Pages, members_only, page
from api.site.visitors import member
from service.replies import held_mail
from service.replies.held_mail import RETENTION

blueprint = Pages("held_mail_pages", __name__)


@blueprint.route("/settings/held-mail")
@members_only
def show() -> Response:
    """List the mail, with the reason, and a link to play it while its decision is open."""
    mails = held_mail.listed_with_links(desk(), member().account)
    return page("account/held_mail", mails=mails, days=RETENTION.days)
