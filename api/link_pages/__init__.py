"""The small pages behind links in emails."""
