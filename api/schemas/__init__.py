"""What requests and answers look like, and the OpenAPI document made from it."""
