"""`ips`: like the profile, so many a day, novelty never asked."""

from __future__ import annotations

from tests.following.systems.streams import FERRY, follow
from tidings.core.records import Sentence
from tidings.following.systems.registry import make

DAY = 86_400


def texts(spec: str, *pushes: tuple[str, int]) -> list[str]:
    given = [([Sentence(f"d{number}", 0, text, now)], now) for number, (text, now) in enumerate(pushes)]
    return [update.text for update in follow(make(spec).start(FERRY), given)]


def test_the_level_is_a_cosine_to_title_and_query() -> None:
    """The profile is {ferri, fire, port}; three of four stems have a cosine of 3 / sqrt(3 · 4) = .866."""
    near, far = "ferry fire port burns", "ferry fire somewhere beyond coastal mountains"
    assert texts("ips:similarity=0.86", (near, 1), (far, 2)) == [near]
    assert texts("ips:similarity=0.87", (near, 1)) == []
    assert texts("ips:similarity=0.46", (far, 1)) == [far]  # 2 / sqrt(3 · 6) = .471
    assert texts("ips:similarity=0.48", (far, 1)) == []


def test_copies_are_told_again_while_the_day_has_room() -> None:
    said = "ferry fire port"
    told = [(said, DAY), (said, DAY + 1), (said, DAY + 2), (said, 2 * DAY)]
    assert len(texts("ips:per_day=2", *told)) == 3
    assert len(texts("ips:per_day=0", *told)) == 4
