"""`tidings read -`: what is piped in is known by its first bytes."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable

import pytest

from tidings.cli import run

FEED = (
    "<rss version='2.0'><channel><title>Port</title><link>https://port.example/</link><item><title>Ferry</title>"
    "<pubDate>Tue, 17 Feb 2026 10:00:00 GMT</pubDate><description>A ferry burns.</description></item></channel></rss>"
)
TABLE = "date,title,text,source\n2026-02-17,Ferry,A ferry burns.,Port\n"
OWN = '{"id":"a","published_time":"2026-02-17T10:00:00Z","source":"Port","text":"A ferry burns."}\n'
ANSWER = json.dumps(
    {"articles": [{"title": "Ferry", "publishedAt": "2026-02-17T10:00:00Z", "source": {"name": "Port"}}]}
)
LINES = '{"date":"2026-02-17","source":"Port","body":"A ferry burns."}\n{"date":"2026-02-18","body":"It is out."}\n'


@pytest.fixture
def read(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[[bytes], tuple[int, str]]:
    """Reads what is piped in, and gives the exit code and all that is printed."""
    monkeypatch.setenv("COLUMNS", "100")

    def piped(data: bytes) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = run(["read", "-"])
        return code, "".join(capfd.readouterr())

    return piped


def packed() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as pack:
        pack.writestr("a.xml", FEED)
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [FEED.encode(), FEED.encode("utf-16"), gzip.compress(FEED.encode()), TABLE.encode(), OWN.encode(),
     gzip.compress(OWN.encode()), ANSWER.encode(), LINES.encode(), packed()],
    ids=["feed", "utf-16", "gzip", "table", "own", "own packed", "json", "lines", "zip"],
)  # fmt: skip
def test_what_is_piped_is_known_by_its_first_bytes(
    data: bytes, read: Callable[[bytes], tuple[int, str]]
) -> None:
    code, printed = read(data)
    assert code == 0, printed
    assert "Port" in printed


@pytest.mark.parametrize(
    "data", [b"", b"hello\n", gzip.compress(FEED.encode())[:40]], ids=["none", "words", "cut"]
)
def test_what_is_piped_and_of_no_kind_is_said_on_a_line(
    data: bytes, read: Callable[[bytes], tuple[int, str]]
) -> None:
    code, printed = read(data)
    assert code == 2
    assert "Traceback" not in printed
    assert printed.startswith("tidings: ")
