"""The small pages behind signed links in letters."""
