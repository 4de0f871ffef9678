"""How much of what is said again is counted as support, on the bundled event: docs/evaluation/comparing.md.

    python scripts/table_of_support.py tidings cosine

A support is right if its sentence shares a marked fact with its update. `pairs` are the updates and other outlets of
which some sentence within two days shares one, be it only in passing; `pairs counted` are those that support counts.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from tidings.core.records import Support, Update
from tidings.core.text.sentences import cut
from tidings.following.systems.decider import Decider
from tidings.following.systems.registry import make
from tidings.following.systems.support import KEEP_S, SupportCounting
from tidings.sources import bundled
from tidings.sources.streams import read_events, read_judgments, read_stream


def main() -> None:
    folder = bundled.path()
    documents = [cut(one) for one in sorted(read_stream(folder), key=lambda one: one.published_time)]
    facts: dict[str, set[str]] = defaultdict(set)
    for match in read_judgments(folder).matches:
        facts[match.update_id].add(match.nugget_id)
    print("system      updates  supports  right  pairs  pairs counted")
    for spec in sys.argv[1:]:
        follower = Decider(make(spec), (SupportCounting(),)).start(read_events(folder)[0])
        outputs = [one for each in documents for one in follower.push(each.sentences, each.published_time)]
        updates = [one for one in outputs if isinstance(one, Update)]
        supports = [one for one in outputs if isinstance(one, Support) and one.same]
        right = sum(
            not facts[f"{one.doc_id}-{one.sentence_index}"].isdisjoint(
                facts[f"{one.evidence.doc_id}-{one.evidence.sentence_index}"]
            )
            for one in supports
        )
        pairs = {
            (update.id, each.source)
            for update in updates
            for each in documents
            if each.source != update.source and abs(each.published_time - update.time) <= KEEP_S
            and any(facts[f"{one.doc_id}-{one.index}"] & facts[update.id] for one in each.sentences)
        }  # fmt: skip
        counted = {(f"{one.doc_id}-{one.sentence_index}", one.evidence.source) for one in supports}
        print(
            f"{spec:10}  {len(updates):7}  {len(supports):8}  {right:5}  {len(pairs):5}  {len(counted & pairs):13}"
        )


if __name__ == "__main__":
    main()
