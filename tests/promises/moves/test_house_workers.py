"""Promise 34: any worker may play for the house, and no request waits for it."""

from pathlib import Path

from store.database import Database
from tests.promises.support.http_calls import ask
from tests.promises.support.processes import Process
from tests.promises.support.web_server import open_database, running_web
from tests.support.waiting import until


def test_a_worker_plays_for_the_house(tmp_path: Path) -> None:
    """Without a worker the house does not move; once one is started it does."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    with running_web(url) as web, open_database(url) as database:
        token = ask(web, "POST", "/v1/accounts", {"name": "Ada"}).json["token"]["token"]
        body = {"board": "usa", "seats": 4, "bots": {"easy": 1, "medium": 1, "hard": 1}}
        game = ask(web, "POST", "/v1/games", body, token).json["id"]
        made = ask(web, "POST", f"/v1/games/{game}/moves", {"text": "keep all"}, token)
        assert (201, 1) == (made.status, made.json["version"])
        worker = Process(web, "worker")
        try:
            worker.start()
            until(lambda: _moves(database, game) >= 4, "the house to choose its tickets")
        finally:
            worker.close()


def _moves(database: Database, game: str) -> int:
    with database.reading() as tx:
        sql = "SELECT version FROM games WHERE id = ?"
        return int(tx.exec_driver_sql(sql, (game,)).scalar_one())
