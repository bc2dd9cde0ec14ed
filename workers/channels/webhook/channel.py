"""The webhook channel: sends events to players' programs, which may answer with moves."""

from datetime import timedelta
from threading import Event

from engine.translate import say
from service.desk import Desk
from service.notify import hooks
from service.notify.channels import (
    Account,
    Channel,
    Description,
    Lane,
    Notice,
    Target,
    Transaction,
)
from service.notify.hook_types import HOOK_TYPES, PING, WEBHOOK
from workers.channels.webhook.crews import Crews
from workers.channels.webhook.sender import Webhooks


class WebhookChannel(Channel):
    """Calls the hooks of an account; each has its own retries."""

    name = WEBHOOK
    kinds = HOOK_TYPES.keys() - {PING}
    pauses = (
        *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
        *(timedelta(hours=n) for n in (2, 5, 10, 14, 20, 24)),
    )
    """The schedule of Standard Webhooks."""
    is_for_people = False

    def targets(self, tx: Transaction, account: Account, notice: Notice) -> list[Target]:
        """Return the hooks that subscribe to this kind of notice."""
        called = hooks.wanting(tx, account, notice)
        return [Target(account, notice.seat, hook=hook) for hook in called]

    def describe(self, _: Transaction, account: Account) -> Description:
        """Return what the settings page shows."""
        hint = say("The URL of your program, such as https://bot.example.org/nightmail")
        return Description(say("Webhooks"), hint, account.hooks > 0)

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """Return a lane that calls several hooks at the same time."""
        return Crews(desk, stopping, Webhooks(desk))
