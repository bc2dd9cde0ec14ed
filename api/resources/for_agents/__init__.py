"""What programs that read text need to find their way: llms.txt, and the guides as Markdown."""
