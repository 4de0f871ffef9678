"""Draw updates at random for reading by eye, the names of their systems hidden, and count what the readers said.

    python scripts/draw_updates.py ../shared/data/tls --out FOLDER --models FOLDER SYSTEM [SYSTEM ...]
    python scripts/draw_updates.py --answers FOLDER/key.tsv first.txt second.txt

Each system follows the five streams of `labels/articles`; 50 of its updates on each are drawn. `items.txt` shows
them in random order and, beneath each, the earlier update of the same run that is most like it. `key.tsv` says whose
they are. A reader answers with a line for each item: its number and four signs, y or n:

1. a fact about this event?  2. of that day (or the day before), not background?  3. can it be understood alone?
4. was it not told before (by the update beneath)?

In a system, MODEL stands for the article model learned without the stream: `MODELS/left_TOPIC.safetensors`, as
`scripts/train_articles.py --leave TOPIC --out` writes it.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from frame import STORIES, heading, parser as command_line, read_articles

from tidings.core import shared_analyzer
from tidings.core.files.writing import write_atomically
from tidings.core.records import Event, Update
from tidings.core.text.vectors import cosine, unit_vector
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.registry import make

DRAWN = 50


def day_of(time: int) -> str:
    """YYYY-MM-DD, UTC."""
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")


def run(spec: str, topic: str, folder: Path, models: Path) -> list[Update]:
    """What a system tells of a stream."""
    system = make(spec.replace("MODEL", str(models / f"left_{topic}.safetensors")))
    documents = read_articles(folder / topic)
    times = [document.published_time for document in documents]
    event = Event(
        id=topic,
        title=STORIES[topic],
        query=STORIES[topic],
        start_time=min(times),
        end_time=max(times) + 86_399,
    )
    decided = follow_stream(documents, [event], system)
    return [output for _, outputs in decided for output in outputs if isinstance(output, Update)]


def nearest(update: Update, earlier: Sequence[Update]) -> Update | None:
    """The earlier update that is most like this one."""
    stems = shared_analyzer("english").stems
    own = unit_vector(stems(update.text))
    ranked = [(cosine(own, unit_vector(stems(other.text))), -number) for number, other in enumerate(earlier)]
    return earlier[-max(ranked)[1]] if ranked else None


def draw(folder: Path, models: Path, out: Path, specs: Sequence[str]) -> None:
    """Write items and key."""
    chance = random.Random("updates by eye")
    items = []
    for spec in specs:
        for topic in sorted(STORIES):
            updates = run(spec, topic, folder, models)
            places = sorted(chance.sample(range(len(updates)), min(DRAWN, len(updates))))
            items += [(spec, topic, updates[n], nearest(updates[n], updates[:n])) for n in places]
            print(f"{spec} on {topic}: {len(updates)} updates", file=sys.stderr)
    chance.shuffle(items)
    shown, key = [], []
    for number, (spec, topic, update, before) in enumerate(items, 1):
        shown.append(f"[{number}] {STORIES[topic]} | {day_of(update.time)} | {update.text}")
        if before is not None:
            shown.append(f"      before: {day_of(before.time)} | {before.text}")
        key.append(f"{number}\t{spec}\t{topic}\t{update.doc_id}\t{update.sentence_index}")
    out.mkdir(parents=True, exist_ok=True)
    for name, lines in (("items.txt", shown), ("key.tsv", key)):
        with write_atomically(out / name) as file:
            file.write(("\n".join(lines) + "\n").encode())


def count(key: Path, readers: Sequence[Path]) -> None:
    """Print, for each system, the shares of yes, by reader and in the mean, and the agreement."""
    systems = {}
    for line in key.read_text().splitlines():
        number, spec, topic, *_ = line.split("\t")
        systems[number] = (spec, topic)
    answers = []
    for path in readers:
        own = dict(line.split()[:2] for line in path.read_text().splitlines() if line.strip())
        missing = [number for number in systems if len(own.get(number, "")) != 4]
        if missing:
            sys.exit(f"{path}: no four answers for items {', '.join(missing[:10])} (expected them for all)")
        answers.append(own)
    print(heading("system | items | event | day | alone | new | all four | by reader | by stream"))
    for spec in dict.fromkeys(spec for spec, _ in systems.values()):
        numbers = [number for number, (own, _) in systems.items() if own == spec]
        shares = [
            sum(own[number][place] == "y" for own in answers for number in numbers)
            / len(numbers)
            / len(answers)
            for place in range(4)
        ]
        by_reader = [sum(own[number] == "yyyy" for number in numbers) / len(numbers) for own in answers]
        by_stream = defaultdict(list)
        for number in numbers:
            by_stream[systems[number][1]] += [own[number] == "yyyy" for own in answers]
        cells = [f"{share:.2f}" for share in (*shares, sum(by_reader) / len(by_reader))]
        readers_said = " ".join(f"{share:.2f}" for share in by_reader)
        streams_said = " ".join(f"{sum(said) / len(said):.2f}" for said in by_stream.values())
        print(f"| {spec} | {len(numbers)} | {' | '.join(cells)} | {readers_said} | {streams_said} |")
    if len(answers) == 2:
        for place, name in enumerate(("event", "day", "alone", "new", "all four")):
            pairs = [
                tuple(own[number] == "yyyy" if place == 4 else own[number][place] == "y" for own in answers)
                for number in systems
            ]
            same = sum(one == two for one, two in pairs) / len(pairs)
            first, second = (sum(pair[reader] for pair in pairs) / len(pairs) for reader in (0, 1))
            chance = first * second + (1 - first) * (1 - second)
            kappa = (same - chance) / (1 - chance) if chance < 1 else 1.0
            print(f"{name}: the same answer in {same:.3f}, κ {kappa:.3f}")


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("given", nargs="+", help="the folder of the streams and systems; or readers' answers")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--models", type=Path, default=Path())
    parser.add_argument("--answers", type=Path, metavar="KEY")
    given = parser.parse_intermixed_args()
    if given.answers:
        count(given.answers, [Path(name) for name in given.given])
    elif given.out is None or len(given.given) < 2:
        parser.error("expected a folder of streams, at least one system, and --out FOLDER")
    else:
        draw(Path(given.given[0]), given.models, given.out, given.given[1:])


if __name__ == "__main__":
    main()
