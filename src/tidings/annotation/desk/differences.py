"""What a revision changed, to be read by a judge: sentences that came, went or stayed, and in changed ones the words.

Two texts are compared by lines and sentences first, then by the words of what was replaced. The work is capped, so that
no pair of texts keeps anyone waiting: where there is too much of it, whole sentences are shown as gone and come.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from tidings.core import split

_WORDS = re.compile(r"\w+(?:[.,:’'\-]\w+)*|\s+|[^\w\s]")
_MOST_UNITS = 3_000  # a longer text is not compared sentence by sentence: it takes time by their square
_MOST_PRODUCT = 400_000  # words of one sentence times those of the other: more are compared as a whole
_MOST_WORK = 4_000_000  # the same for all sentences of a page together
_LEAST_SHARED = 0.35  # of the characters: with less in common it is another sentence, not a changed one
_LEAST_BETWEEN = 8  # characters: a shorter stretch that stayed between two changes is shown with them


class Piece(Struct, frozen=True):
    """A run of characters that stayed (`same`), came (`ins`), or went (`del`); `fold` is a run of `same` not shown.

    `start` and `end` are characters of the new text; where something went they are the place at which it stood. `text`
    is empty in a fold, and `units` says how many sentences it holds.
    """

    op: str
    start: int
    end: int
    text: str = ""
    units: int = 0


def differences(before: str, after: str) -> list[Piece]:
    """The pieces of which a text is made when read beside the one before; all but what went add up to the new text.

    >>> [(p.op, p.text) for p in differences("Two died. It rains.", "Four died. It rains. Roads are shut.")]
    [('del', 'Two'), ('ins', 'Four'), ('same', ' died. It rains.'), ('ins', ' Roads are shut.')]
    """
    return _join(_pieces(before, after))


def _pieces(before: str, after: str) -> Iterator[Piece]:
    old, new = _units(before), _units(after)
    head = 0
    while head < min(len(old), len(new)) and old[head].strip() == new[head].strip():
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail].strip() == new[-1 - tail].strip():
        tail += 1
    place = 0

    def same(units: Sequence[str]) -> Iterator[Piece]:
        nonlocal place
        for unit in units:
            yield Piece("same", place, place + len(unit), unit, 1)
            place += len(unit)

    yield from same(new[:head])
    work = 0
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    for i1, i2, j1, j2, equal in _blocks(middle_old, middle_new):
        if equal:
            yield from same(middle_new[j1:j2])
            continue
        went, came = "".join(middle_old[i1:i2]), "".join(middle_new[j1:j2])
        words_old, words_new = _WORDS.findall(went), _WORDS.findall(came)
        product = len(words_old) * len(words_new)
        fine = bool(product) and product <= _MOST_PRODUCT and work + product <= _MOST_WORK
        work += product if fine else 0
        for op, text in _word_pieces(words_old, words_new) if fine else ():
            end = place if op == "del" else place + len(text)
            yield Piece(op, place, end, text)
            place = end
        if not fine:
            if went:
                yield Piece("del", place, place, went)
            if came:
                yield Piece("ins", place, place + len(came), came)
            place += len(came)
    yield from same(new[len(new) - tail :])


def _units(text: str) -> list[str]:
    # Sentences and lines with the white space before them, so that they add up to the text.
    ends: list[int] = []
    for line in re.finditer(r"[^\n]+", text):
        ends += [line.start() + end for _, end in split(line.group())]
    if not ends or ends[-1] != len(text):
        ends.append(len(text))
    starts = [0, *ends[:-1]]
    return [text[start:end] for start, end in zip(starts, ends, strict=True) if end > start]


def _blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int, bool]]:
    # Runs of units (old from..to, new from..to) that are equal or not.
    keys_old, keys_new = [unit.strip() for unit in old], [unit.strip() for unit in new]
    if max(len(old), len(new)) <= _MOST_UNITS:
        for op, i1, i2, j1, j2 in SequenceMatcher(None, keys_old, keys_new).get_opcodes():
            yield i1, i2, j1, j2, op == "equal"
        return
    # Too many: what stands in both counts as stayed, wherever it stood.
    there, here = set(keys_old), set(keys_new)
    gone = [at for at, unit in enumerate(keys_old) if unit not in here]
    for at in gone:
        yield at, at + 1, 0, 0, False
    for at, unit in enumerate(keys_new):
        yield 0, 0, at, at + 1, unit in there


def _word_pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    blocks = matcher.get_opcodes()
    shared = sum(len("".join(new[j1:j2]).strip()) for op, _, _, j1, j2 in blocks if op == "equal")
    if shared < _LEAST_SHARED * max(len("".join(old)), len("".join(new))) * 0.8:
        yield "del", "".join(old)
        yield "ins", "".join(new)
        return
    went = came = ""
    for at, (op, i1, i2, j1, j2) in enumerate(blocks):
        text = "".join(new[j1:j2])
        # A word or two that two changes have between them are read with these.
        is_between = 0 < at < len(blocks) - 1 and len(text.strip()) < _LEAST_BETWEEN
        if op == "equal" and not is_between:
            yield from (("del", went), ("ins", came), ("same", text))
            went = came = ""
        else:
            went += "".join(old[i1:i2])
            came += text
    yield from (("del", went), ("ins", came))


def _join(pieces: Iterator[Piece]) -> list[Piece]:
    made: list[Piece] = []
    for part in pieces:
        is_white = not part.text.strip()
        if is_white and part.op == "del":
            continue
        piece = Piece("same", part.start, part.end, part.text, part.units) if is_white else part
        last = made[-1] if made else None
        if last is not None and last.op == piece.op:
            made[-1] = Piece(
                piece.op, last.start, piece.end, last.text + piece.text, last.units + piece.units
            )
        elif piece.text:
            made.append(piece)
    return made


def fold_unchanged(pieces: Sequence[Piece], context: int = 2) -> list[Piece]:
    """The same, where of what stayed only so many sentences next to a change are shown.

    >>> text = " ".join(f"Sentence number {n} stays here." for n in range(9))
    >>> pieces = fold_unchanged(differences(text, text + " A new one."), context=1)
    >>> [(p.op, p.units, p.text) for p in pieces]
    [('fold', 8, ''), ('same', 1, ' Sentence number 8 stays here.'), ('ins', 0, ' A new one.')]
    """
    made: list[Piece] = []
    for at, piece in enumerate(pieces):
        if piece.op != "same":
            made.append(piece)
            continue
        units = _units(piece.text)
        first = context if at else 0
        last = context if at + 1 < len(pieces) else 0
        if len(units) <= first + last + 1:
            made.append(piece)
            continue
        shown_first = len("".join(units[:first]))
        shown_last = len("".join(units[len(units) - last :])) if last else 0
        cut = len(piece.text) - shown_last
        place = piece.start
        if shown_first:
            made.append(Piece("same", place, place + shown_first, piece.text[:shown_first], first))
        made.append(Piece("fold", place + shown_first, place + cut, "", len(units) - first - last))
        if shown_last:
            made.append(Piece("same", place + cut, piece.end, piece.text[cut:], last))
    return made


def passages(pieces: Sequence[Piece], after: str) -> list[tuple[int, int]]:
    """The sentences of the new text in which something came or went, or before which one went, as half-open spans.

    >>> after = "Four died. It rains. Roads are shut."
    >>> [after[start:end] for start, end in passages(differences("Two died. It rains.", after), after)]
    ['Four died.', 'Roads are shut.']
    """
    places = [(piece.start, piece.end) for piece in pieces if piece.op in ("ins", "del")]
    made: list[tuple[int, int]] = []
    start = at = 0
    for unit in _units(after):
        end = start + len(unit)
        while at < len(places) and places[at][1] < start:
            at += 1
        first = start + len(unit) - len(unit.lstrip())
        last = start + len(unit.rstrip())
        if last > first and any(
            (begin < last and stop > first) or start <= begin == stop <= first
            for begin, stop in places[at : at + 50]
        ):
            made.append((first, last))
        start = end
    return made
