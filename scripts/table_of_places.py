"""The tables of docs/following/values.md on places: how far the places told are from where the events were.

    python scripts/table_of_places.py ../shared/data           # each event: what is told at its end, and how far off
    python scripts/table_of_places.py ../shared/data --check   # the gold itself, against the cities that it names
    python scripts/table_of_places.py ../shared/data --stories # long stories: every place told, with its sentence

Needs the extra `places`. The gold gives each event a point, sometimes a second one; the distance is that to the nearer
of the two. `over time` is its mean from the first document to the event's end, half the equator (20,038 km) counting
where nothing is told yet.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median

from frame import parser as command_line
from table_of_values import events_of, rows, stories

from tidings.core.records import Event, Sentence, ValueUpdate
from tidings.evaluation.measures.values import HALF_EQUATOR_KM, Steps, expected_error, kilometres
from tidings.following.values.value_tracker import PlaceTracker, load_gazetteer

Point = tuple[float, float]


def gold_of(data: Path, year: int) -> dict[str, list[tuple[str, Point, str]]]:
    gold: dict[str, list[tuple[str, Point, str]]] = {}
    for row in rows(data / "values" / f"locations-{year}.tsv"):
        point = float(row["latitude"]), float(row["longitude"])
        gold.setdefault(row["event_id"], []).append((row["place"], point, row["sure"]))
    return gold


def told_of(event: Event, pushes: list[tuple[int, list[Sentence]]]) -> list[ValueUpdate]:
    tracker = PlaceTracker(event)
    return [value for now, sentences in pushes for value in tracker.read(sentences, now)]


def nearest(points: list[Point], place: tuple[float, ...]) -> float:
    return min(kilometres(point, place) for point in points)


def print_errors(data: Path) -> None:
    print("event       km  over time  told  place as told at the end            where it was")
    for year in (2013, 2014):
        gold, ends, means = gold_of(data, year), [], []
        for event_id, (event, pushes) in sorted(
            events_of(data, year).items(), key=lambda one: (len(one[0]), one[0])
        ):
            if event_id not in gold:
                continue
            points = [point for _, point, _ in gold[event_id]]
            values = [
                value for value in told_of(event, pushes) if value.time <= (event.end_time or value.time)
            ]
            end = event.end_time or pushes[-1][0]
            last = nearest(points, values[-1].value) if values else HALF_EQUATOR_KM
            over_time = expected_error(
                Steps((0,), (tuple(points),)),
                Steps.of(values),
                pushes[0][0],
                end,
                lambda truth, told: nearest([(one[0], one[1]) for one in truth], told),
                lambda truth: HALF_EQUATOR_KM,
            )
            ends.append(last)
            means.append(over_time)
            name = values[-1].place if values else "-"
            print(
                f"{event_id:8} {last:7.0f}  {over_time:9.0f}  {len(values):4}  {name[:35]:36} {gold[event_id][0][0]}"
            )
        print(
            f"{year}: {len(ends)} events, at the end median {median(ends):.0f} km, {sum(one <= 50 for one in ends)} "
            f"within 50 km, {sum(one <= 200 for one in ends)} within 200; over time median {median(means):.0f} km, "
            f"{sum(one <= 50 for one in means)} within 50"
        )


def print_checked(data: Path) -> None:
    """The gold against the gazetteer: of each part of a name the place nearest to the point that is said."""
    gazetteer = load_gazetteer()
    for year in (2013, 2014):
        for event_id, places in gold_of(data, year).items():
            for name, point, sure in places:
                beside = [
                    (kilometres((place.latitude, place.longitude), point), place.name)
                    for part in name.replace("/", ",").replace("(", ",").split(",")
                    for place in gazetteer.find(part.strip().removeprefix("epicentre near "))
                    if place.kind == "city"
                ]
                said = (
                    f"{min(beside)[0]:6.1f} km from {min(beside)[1]}"
                    if beside
                    else "   not a city of the gazetteer"
                )
                print(f"{event_id:9} {name[:55]:56} {sure:7} {said}")


def print_stories(data: Path) -> None:
    for event, pushes in stories(data):
        print(f"\n{event.title}: {len(pushes)} documents")
        for value in told_of(event, pushes):
            print(
                f"  {value.time}  {value.place} {value.value} [{value.confidence}] "
                f"{' '.join(value.evidence[0].text.split())[:110]}"
            )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds values/, trec-ts/ and tls/")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--stories", action="store_true")
    said = parser.parse_args()
    if said.check:
        print_checked(said.data)
    elif said.stories:
        print_stories(said.data)
    else:
        print_errors(said.data)


if __name__ == "__main__":
    main()
