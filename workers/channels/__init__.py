"""The channels, one folder each; importing this package registers them."""

from service.notify import channels
from workers.channels.discord.channel import DiscordChannel
from workers.channels.mail.channel import MailChannel
from workers.channels.matrix.channel import MatrixChannel
from workers.channels.ntfy.channel import NtfyChannel
from workers.channels.slack.channel import SlackChannel
from workers.channels.telegram.channel import TelegramChannel
from workers.channels.web_push.channel import WebPushChannel
from workers.channels.webhook.channel import WebhookChannel

channels.register(
    MailChannel(),
    WebhookChannel(),
    WebPushChannel(),
    DiscordChannel(),
    SlackChannel(),
    TelegramChannel(),
    MatrixChannel(),
    NtfyChannel(),
)
