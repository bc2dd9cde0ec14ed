"""The cache of the JSON of games."""

import pytest

from service.memory import response_cache
from service.memory.response_cache import ResponseCache
from tests.service.support.threads import at_once


def test_a_document_is_found_under_its_key() -> None:
    """Under no other key; a document that is stored again replaces the first."""
    cache = ResponseCache()
    cache.put(("game", 3, None), b"{}")
    assert b"{}" == cache.get(("game", 3, None))
    assert cache.get(("game", 4, None)) is None

    cache.put(("game", 3, None), b"[]")
    assert b"[]" == cache.get(("game", 3, None))


def test_the_oldest_document_is_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the cache is full, the document that was stored first goes."""
    monkeypatch.setattr(response_cache, "REMEMBERED", 2)
    cache = ResponseCache()
    for key in "abc":
        cache.put(key, key.encode())

    assert [None, b"b", b"c"] == [cache.get(key) for key in "abc"]


def test_threads_share_the_cache() -> None:
    """However many threads store documents at once, the cache stays full and never overflows."""
    cache = ResponseCache()

    def fill(thread: int) -> None:
        for number in range(response_cache.REMEMBERED):
            cache.put((thread, number), b"{}")

    at_once(4, fill)
    keys = [(thread, number) for thread in range(4) for number in range(response_cache.REMEMBERED)]
    assert response_cache.REMEMBERED == sum(cache.get(key) is not None for key in keys)


def test_a_key_that_can_change_is_refused() -> None:
    """A list is no key: it could change while the document is cached."""
    with pytest.raises(TypeError):
        ResponseCache().put(["game", 3], b"{}")  # type: ignore[arg-type]
