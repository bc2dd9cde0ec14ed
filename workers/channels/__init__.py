"""The channels, one folder each; importing this package registers them."""

from service.notify import channels
from workers.channels.mail.channel import MailChannel
from workers.channels.webhook.channel import WebhookChannel

channels.register(MailChannel(), WebhookChannel())
