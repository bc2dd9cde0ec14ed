"""Schemas of requests and responses, and the OpenAPI document made from them."""
