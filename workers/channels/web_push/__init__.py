"""The channel of web push: notifications of a browser, also while it shows no page of ours."""
