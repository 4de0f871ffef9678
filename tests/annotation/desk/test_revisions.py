"""Histories at the desk: what comes in, what is shown of a change, and the verb that brings them."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from tests.annotation.desk.histories import HISTORY
from tests.annotation.pages.desks import bundled_judgments, desk_with
from tests.sweeps import cases, every
from tidings.annotation.desk.differences import Piece, differences, fold_unchanged, passages
from tidings.annotation.desk.exchange.importing import import_revisions, topic_for
from tidings.cli import make_app
from tidings.core.errors import StoreError, UsageError
from tidings.core.records import Event
from tidings.core.records.documents import Revision


def shown(before: str, after: str) -> list[tuple[str, str]]:
    return [(piece.op, piece.text) for piece in differences(before, after)]


def check(before: str, after: str) -> list[Piece]:
    """What stayed and came is the new text, each piece at its place."""
    pieces = differences(before, after)
    assert "".join(piece.text for piece in pieces if piece.op != "del") == after
    for piece in pieces:
        assert piece.op == "del" or after[piece.start : piece.end] == piece.text
    for one in fold_unchanged(pieces):
        assert one.op in ("del", "fold") or after[one.start : one.end] == one.text
    return pieces


class TestDifferences:
    def test_changed_words_are_marked_in_their_sentence(self) -> None:
        before, after = HISTORY[3].text, HISTORY[4].text
        assert shown(before, after)[1:] == [
            ("del", "ten"),
            ("ins", "35"),
            (
                "same",
                " people have died, the regional government said.\nThe train was on its way from Madrid to Ferrol.",
            ),
            ("ins", " It carried 218 passengers."),
        ]

    def test_a_word_between_two_changes_is_read_with_them(self) -> None:
        before, after = (
            "At 9 Ana Ruiz of Vigo came to the village.",
            "At 10 Eva Ruiz of Lugo came to the village.",
        )
        assert shown(before, after) == [
            ("same", "At "),
            ("del", "9 Ana Ruiz of Vigo"),
            ("ins", "10 Eva Ruiz of Lugo"),
            ("same", " came to the village."),
        ]

    def test_another_sentence_in_its_place_is_shown_whole(self) -> None:
        assert shown("It rains. Ten died.", "It rains. Roads are shut until Monday.") == [
            ("same", "It rains."),
            ("del", " Ten died."),
            ("ins", " Roads are shut until Monday."),
        ]

    def test_nothing_before_and_nothing_after(self) -> None:
        assert shown("", "A fire.") == [("ins", "A fire.")]
        assert shown("A fire.", "") == [("del", "A fire.")]
        assert shown("", "") == []
        assert shown("A fire.", "A fire.") == [("same", "A fire.")]

    def test_other_white_space_alone_is_no_change(self) -> None:
        assert {op for op, _ in shown("One. Two.\n\nThree.", "One.\nTwo. Three.\n")} == {"same"}

    def test_any_two_texts(self) -> None:
        lot = random.Random(3)
        words = ["Ten", "died.", "a", "fire", "\n", " ", "É!", "12,5", ".", "\u2029", "\U0001f525"]
        for _ in range(150):
            before, after = (" ".join(lot.choices(words, k=lot.randrange(14))) for _ in range(2))
            check(before, after)

    def test_much_text_is_not_looked_at_word_for_word(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tidings.annotation.desk import differences as module

        before = " ".join(f"Number {n} is here today." for n in range(40))
        after = before.replace("here", "there")
        assert len(check(before, after)) > 40
        monkeypatch.setattr(module, "_MOST_PRODUCT", 100)
        assert [piece.op for piece in check(before, after)] == ["del", "ins"]
        monkeypatch.setattr(module, "_MOST_PRODUCT", 10**9)
        monkeypatch.setattr(module, "_MOST_WORK", 1000)
        assert [piece.op for piece in check(before, after)] == ["del", "ins"]
        both = before + " The end is near now. " + before.replace("Number", "Count")
        changed = after + " The end is near now. " + after.replace("Number", "Count")
        monkeypatch.setattr(module, "_MOST_WORK", 100_000)
        assert [piece.op for piece in check(both, changed)][-3:] == ["same", "del", "ins"]
        monkeypatch.setattr(module, "_MOST_UNITS", 20)
        moved = check("First. " + before + " Last.", "Last. " + before + " New.")
        assert [(piece.op, piece.text) for piece in moved if piece.op != "same"] == [
            ("del", "First."),
            ("ins", " New."),
        ]

    def test_two_hundred_thousand_characters_take_no_time_to_speak_of(self) -> None:
        lot = random.Random(5)
        sentences = [" ".join(f"word{lot.randrange(3000)}" for _ in range(12)) + "." for _ in range(2000)]
        before = " ".join(sentences).replace(". w", ". W")
        assert len(before) > 200_000
        check(before, before.replace("word1", "other"))
        check(before, before[::-1])


class TestFolding:
    def test_only_the_sentences_beside_a_change_are_shown(self) -> None:
        sentences = [f"Sentence number {n} stays." for n in range(12)]
        changed = [*sentences[:6], "This came.", *sentences[6:]]
        pieces = fold_unchanged(check(" ".join(sentences), " ".join(changed)), context=1)
        assert [(piece.op, piece.units, piece.text.strip()) for piece in pieces] == [
            ("fold", 5, ""),
            ("same", 1, "Sentence number 5 stays."),
            ("ins", 0, "This came."),
            ("same", 1, "Sentence number 6 stays."),
            ("fold", 5, ""),
        ]

    def test_one_sentence_is_not_folded_away(self) -> None:
        pieces = differences("One. Two. Three.", "One. Two. Three. Four.")
        assert [piece.op for piece in fold_unchanged(pieces, context=2)] == ["same", "ins"]


class TestPassages:
    def test_they_are_the_sentences_with_a_change_in_them(self) -> None:
        texts = [one.text for one in HISTORY]
        found = [
            [after[start:end] for start, end in passages(differences(before, after), after)]
            for before, after in pairwise(texts)
        ]
        assert found[0][0].startswith("A passenger train has left the rails at Angrois")
        assert found[0][-1] == "Residents heard a bang and ran to help."
        assert found[1] == []
        assert found[2] == [
            "At least ten people have died, the regional government said.",
            "The train was on its way from Madrid to Ferrol.",
        ]
        assert found[3] == [
            "At least 35 people have died, the regional government said.",
            "It carried 218 passengers.",
        ]

    def test_where_words_only_went_their_sentence_is_one(self) -> None:
        before, after = (
            "It rains. Ten people have died there. It snows.",
            "It rains. Ten people have died. It snows.",
        )
        assert [after[a:b] for a, b in passages(differences(before, after), after)] == [
            "Ten people have died."
        ]

    def test_also_where_words_went_from_its_beginning(self) -> None:
        before = "It rains. About Ten people have died there. It snows."
        after = "It rains. Ten people have died there. It snows."
        found = [after[start:end] for start, end in passages(differences(before, after), after)]
        assert found == ["Ten people have died there."]

    def test_and_that_before_which_a_sentence_went(self) -> None:
        before, after = "It rains. Ten people have died. It snows.", "It rains. It snows."
        found = [after[start:end] for start, end in passages(differences(before, after), after)]
        assert found == ["It snows."]


class TestImport:
    def test_revisions_become_items_and_come_in_once(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            desk, project = people.desk, people.project
            topic = desk.projects.add_topic(project.id, Event(id="e", title="t", query="q"))
            done = [import_revisions(desk, project, topic, part) for part in (HISTORY[:2], HISTORY, HISTORY)]
            assert [(one.added, one.unchanged) for one in done] == [(2, 0), (2, 1), (0, 1)]
            assert desk.projects.item_places(project.id, 1, "revision") == [
                (one.id, number, one.time) for number, one in enumerate([*HISTORY[:2], *HISTORY[3:]], start=1)
            ]
            item = desk.projects.item(project.id, 1, "revision", "r3")
            assert item is not None and item.content == {
                "text": HISTORY[3].text,
                "title": "Derailment at Angrois",
                "author": "",
                "comment": "first deaths",
            }
            mixed = [
                Revision(time=time, text=text, id=f"x{time}") for time, text in ((9, "b"), (7, "a"), (8, "a"))
            ]
            done = [import_revisions(desk, project, topic, mixed)]
            assert [(one.added, one.unchanged) for one in done] == [(2, 1)]
            with pytest.raises(StoreError, match="different revision r1"):
                import_revisions(desk, project, topic, [Revision(time=1, text="other", id="r1")])
            with pytest.raises(UsageError, match="id of 301 characters"):
                import_revisions(desk, project, topic, [Revision(time=1, text="other", id="r" * 301)])

    def test_the_topic_is_named_where_there_are_several(self, tmp_path: Path) -> None:
        with desk_with(tmp_path / "d.db") as people:
            desk, project = people.desk, people.project
            with pytest.raises(UsageError, match=r"0 topics.*--topic EVENT_ID: none"):
                topic_for(desk, project)
            for name in ("a", "b"):
                desk.projects.add_topic(project.id, Event(id=name, title="t", query="q"))
            assert topic_for(desk, project, "b").number == 2
            with pytest.raises(UsageError, match=r"2 topics.*: a, b"):
                topic_for(desk, project)
            with pytest.raises(UsageError, match=r"--topic c: .* has no such event; it has a, b"):
                topic_for(desk, project, "c")


class TestVerb:
    def run(self, *words: str) -> Result:
        arguments = ["assess import", *words]
        return CliRunner().invoke(make_app(arguments), arguments)

    def test_a_history_comes_to_the_desk(self, tmp_path: Path) -> None:
        path = tmp_path / "h.jsonl"
        path.write_bytes(b"\n".join(msgspec.json.encode(one) for one in HISTORY))
        with desk_with(tmp_path / "d.db", bundled_judgments(judged=False)):
            pass
        where = ("--project", "collection", "--store", str(tmp_path / "d.db"))
        done = self.run("--revisions", str(path), "--topic", "santiago-2013", *where)
        assert done.exit_code == 0
        assert "4 new revisions for santiago-2013; 1 that change nothing were left out" in done.output

    @every(
        "words, said",
        cases(__file__, "what cannot be is said and leaves nothing"),
    )
    def test_what_cannot_be_is_said_and_leaves_nothing(
        self, tmp_path: Path, words: tuple[str, ...], said: str
    ) -> None:
        store = tmp_path / "d.db"
        done = self.run(*words, "--project", "p", "--store", str(store))
        assert isinstance(done.exception, UsageError)
        assert said in str(done.exception)
        assert not store.exists()


def test_the_history_of_the_tests_is_one() -> None:
    assert json.loads(msgspec.json.encode(HISTORY))[0]["time"] == HISTORY[0].time
    assert len({one.id for one in HISTORY}) == len(HISTORY)
