import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

import pytest

import cli.main
from tests.cli.running import finished, run, written

NIGHTMAIL = [sys.executable, "-c", "from cli.main import main; main()"]
ROOT = Path(__file__).parent.parent.parent
COMMANDS = ("selfplay", "maps", "verify", "show")


def _start(*words: str, **more: object) -> "subprocess.Popen[bytes]":
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": ROOT, **more}
    return subprocess.Popen([*NIGHTMAIL, *words], **streams)  # type: ignore[call-overload,no-any-return]  # streams as given


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str) -> None:
    """The help of a command has an example of the command."""
    result = run(command, "--help")

    assert 0 == result.exit_code
    assert re.search(rf"Examples?: nightmail {command}", result.stdout)
    assert "Exit status" in result.stdout or command == "show"
    assert 100 >= max(map(len, result.stdout.splitlines()))


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_lists_the_commands(words: tuple[str, ...]) -> None:
    """Without a command, and with --help, the commands are listed."""
    result = run(*words)

    assert 0 == result.exit_code
    assert [] == [command for command in COMMANDS if f"  {command} " not in result.stdout]


def test_listing_loads_no_command() -> None:
    """Listing the commands does not import Flask, SQLAlchemy or Uvicorn."""
    code = "import sys; from cli.main import main; sys.argv[1:] = ['--help']\ntry: main()\n"
    code += "finally: print(*{'flask', 'sqlalchemy', 'uvicorn'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)

    assert b"" == done.stdout.splitlines()[-1]


def test_the_list_says_what_each_command_says() -> None:
    """The summaries in the list of commands are the commands' own short help."""
    for name, (module, says) in cli.main.COMMANDS.items():
        assert says == getattr(import_module(module), name).get_short_help_str(200)


def test_version_is_told() -> None:
    """--version prints the name of the program and its version."""
    assert re.fullmatch(r"nightmail \d+\.\d+\.\d+\n", run("--version").stdout)


@pytest.mark.parametrize(
    "words",
    [
        ("fly",),
        ("--fly",),
        ("verify",),
        ("verify", "a", "b"),
        ("selfplay", "--games", "0"),
        ("selfplay", "--games", "many"),
        ("selfplay", "--seats", "9"),
        ("selfplay", "--seats", "-1"),
        ("selfplay", "--board", "atlantis"),
        ("selfplay", "--variant", "x"),
        ("selfplay", "--variant", "usa_1910", "--variant", "new_edition"),
        ("selfplay", "--tell", "--games", "2"),
        ("selfplay", "--save", __file__),
        ("maps", "--check", "x.toml"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...]) -> None:
    """Bad input gives one line on standard error, and status 2."""
    result = run(*words)

    assert (2, "") == (result.exit_code, result.stdout)
    assert 1 == result.stderr.count("\n")
    assert re.match(r"nightmail[ a-z]*: ", result.stderr)


def test_broken_pipe_ends_quietly() -> None:
    """A reader that closes the pipe early causes no error message."""
    process = _start("selfplay", "--tell", "--seed", "x")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None

    assert b"" == process.stderr.read()
    process.wait(20)
    process.stderr.close()


@pytest.fixture
def hearing() -> Iterator[None]:
    """Let child processes receive SIGINT even if the tests ignore it, as under nohup."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hearing")
def test_interrupt_ends_quietly() -> None:
    """Ctrl-C ends a long run without further output, with status 130."""
    process = _start("selfplay", "--games", "1000000", "--seed", "x")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()

    assert (130, b"", b"") == (process.returncode, out, err.strip())


def test_narrow_encoding_is_no_reason_to_stop() -> None:
    """A character that the output encoding lacks is printed as a question mark."""
    process = _start("selfplay", "--seed", "x", env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    out, _ = process.communicate(timeout=60)

    assert 0 == process.returncode
    assert "USA · 3 seats".encode("latin-1") in out
    assert b"?" in out


HASTY = "import cli.progress; cli.progress.PATIENCE = 0.0; from cli.main import main; main()"


def _in_terminal(*words: str, program: Sequence[str] = NIGHTMAIL) -> str:
    """What a command writes to a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    env["COLUMNS"] = "80"
    process = subprocess.Popen([*program, *words], stdout=theirs, stderr=theirs, cwd=ROOT, env=env)
    os.close(theirs)
    output = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        output += more
    process.wait(60)
    os.close(ours)
    return output.decode()


def test_terminal_gets_colours_and_pipe_does_not() -> None:
    """A terminal gets coloured lines that fit its width; a pipe gets the same words plain."""
    words = ("selfplay", "--tell", "--seed", "x", "--seats", "2")
    shown = _in_terminal(*words)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    plain = run(*words).stdout

    assert "\x1b[36mAda\x1b[0m" in shown
    assert 80 >= max(len(line) for line in bare.splitlines())
    assert "\x1b" not in plain
    assert plain.split() == bare.split()


def test_long_work_shows_a_bar_in_a_terminal() -> None:
    """Long work shows a progress bar in a terminal."""
    hasty = [sys.executable, "-c", HASTY]
    shown = _in_terminal("selfplay", "--games", "9", "--seats", "2", "--seed", "x", program=hasty)

    assert re.search(r"Playing .*#.* \d/9", shown)
    assert "9 games" in shown


def test_short_work_shows_no_bar() -> None:
    """Short work shows no progress bar."""
    assert "Playing" not in _in_terminal("selfplay", "--seed", "x", "--seats", "2")


def test_log_goes_through_a_pipe() -> None:
    """A log that is piped to standard input can be verified."""
    process = _start("verify", "-", stdin=subprocess.PIPE)
    out, err = process.communicate(written(list(finished())), timeout=60)

    assert (0, b"") == (process.returncode, err)
    assert b"<stdin>: the log is valid" in out
