"""The commands `stop` and `start`."""

from service.desk import Desk
from tests.service.support.post import opened


def test_stop_and_start(each_desk: Desk) -> None:
    """`stop` mutes mail about this game only, `start` resumes it; each can be repeated."""
    post = opened(each_desk)
    post.write("stop")
    assert post.seat().muted is not None
    assert post.seat(1).muted is None
    post.write("stop")
    assert post.seat().muted is not None
    assert "“start”" in post.answers()[-1]["lines"][0]["result"]
    post.write("start")

    assert post.seat().muted is None
    assert [("start", True)] == post.results()
