"""Tables of sentences linked to events."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems, TidingsError, UsageError
from tidings.core.records.outputs import JudgedLink, SentenceLinks
from tidings.evaluation.formats.linked_2001 import read_judges, read_links, write_judges, write_links

HEADER = "topic_id\tevent_id\tsentence_id\n"


def put(folder: Path, text: str, name: str = "links.tsv") -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_links_and_off_event_sentences(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER + "20021\t1\ta-0\n20021\t2\ta-0\n20021\t-\ta-1\n20022\t1\tb-0\n")
    assert read_links(path) == [
        SentenceLinks("20021", (("1", "a-0"), ("2", "a-0")), ("a-0", "a-1")),
        SentenceLinks("20022", (("1", "b-0"),)),
    ]


def test_an_event_without_a_sentence_is_listed(tmp_path: Path) -> None:
    topics = [SentenceLinks("20021", (("1", "a-0"),), ("a-0", "a-1"), events=("2",))]
    assert read_links(put(tmp_path, HEADER + "20021\t1\ta-0\n20021\t-\ta-1\n20021\t2\t-\n")) == topics
    write_links(tmp_path / "again.tsv", topics)
    assert read_links(tmp_path / "again.tsv") == topics


@every(
    "lines, said",
    cases(__file__, "a bad line is named"),
)
def test_a_bad_line_is_named(tmp_path: Path, lines: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_links(put(tmp_path, HEADER + lines))


def test_lenient_skips_and_counts(tmp_path: Path) -> None:
    problems = Problems(lenient=True)
    found = read_links(put(tmp_path, HEADER + "1\t1\ta-0\nodd\n1\t1\ta-0\n"), problems=problems)
    assert found == [SentenceLinks("1", (("1", "a-0"),))]
    assert problems.count == 2


def test_judges_are_three(tmp_path: Path) -> None:
    head = "topic_id\tevent_id\tjudge\tsentence_id\n"
    assert read_judges(put(tmp_path, head + "1\t2\t3\ta-0\n", "judges.tsv")) == [
        JudgedLink("1", "2", 3, "a-0")
    ]
    with pytest.raises(FormatError, match=r"judges\.tsv:2: judge 4"):
        read_judges(put(tmp_path, head + "1\t2\t4\ta-0\n", "judges.tsv"))


names = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=5)


@given(
    st.dictionaries(names, st.dictionaries(names, st.frozensets(st.integers(0, 3)), min_size=1), min_size=1)
)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, topics: dict[str, dict[str, frozenset[int]]]
) -> None:
    folder = tmp_path_factory.mktemp("links")
    links = []
    for topic, sentences in topics.items():
        pairs = tuple(
            (f"e{event}", f"{one}-0") for one, events in sentences.items() for event in sorted(events)
        )
        linked = [one for one, events in sentences.items() if events]
        rest = [one for one, events in sentences.items() if not events]
        links.append(SentenceLinks(topic, pairs, tuple(f"{one}-0" for one in linked + rest) if rest else ()))
    write_links(folder / "links.tsv.gz", links)
    assert read_links(folder / "links.tsv.gz") == links
    judged = [JudgedLink(topic, "e", 1 + place % 3, f"{place}-0") for place, topic in enumerate(topics)]
    write_judges(folder / "judges.tsv", judged)
    assert read_judges(folder / "judges.tsv") == judged


def test_ids_that_would_break_the_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="tabs"):
        write_links(tmp_path / "links.tsv", [SentenceLinks("a\tb", (("e", "s"),))])
    assert not list(tmp_path.iterdir())


@given(st.text(max_size=100) | st.text(alphabet="\t\n-123ab", max_size=100))
def test_hostile_text_gives_a_clear_error_or_links(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("links") / "links.tsv"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    for read in (read_links, read_judges):
        try:
            read(path)
        except TidingsError as error:
            assert "links.tsv" in str(error)
