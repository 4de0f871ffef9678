"""Where judges of the same item differ: on relevance, on links, on spans, on grades, and in their clusters.

Clusters of different judges have names of their own; they are aligned one to one so that as many updates as can be are
in aligned ones (the assignment of greatest overlap). What is left are the disagreements.

How far the judges of a project agree: for each topic and task, and over all topics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from math import nan
from operator import itemgetter
from typing import Any, Literal
from urllib.parse import quote

from msgspec import Struct

from tidings.annotation.desk.notes import reopened_id
from tidings.annotation.desk.operations.event_links import links_agreement
from tidings.annotation.desk.showing import names_of, task_of_kind
from tidings.annotation.store import Desk
from tidings.annotation.tasks import ITEM_KINDS, KINDS, TASKS, Kind, in_words
from tidings.core import FINAL, SHARED, DeskTopic, JudgedObject, Project, layer_account
from tidings.evaluation import (
    Links,
    adjusted_mutual_information,
    adjusted_rand,
    cheapest,
    clusters_alike,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    link_overlap,
    mean_of_defined,
    shared_span_overlap,
)


class Clustering(Struct, frozen=True):
    """What one judge made of a topic: cluster to label, and update to its cluster, None where it is not relevant."""

    account_id: int
    labels: Mapping[str, str]
    cluster_of: Mapping[str, str | None]

    def members(self, cluster: str) -> list[str]:
        """The updates of a cluster, by id."""
        return sorted(update for update, there in self.cluster_of.items() if there == cluster)


class Placed(Struct, frozen=True):
    """An update that two judges put elsewhere.

    Args:
        update: its id.
        one, other: the cluster of the first and of the second judge; None: not relevant.
        together_one: what the first alone puts with it.
        together_other: what the second alone puts with it.
    """

    update: str
    one: str | None
    other: str | None
    together_one: tuple[str, ...]
    together_other: tuple[str, ...]


def clusterings(objects: Iterable[JudgedObject]) -> list[Clustering]:
    """What each judge of a topic made, by account; clusters that are final already belong to all of them."""
    labels: dict[int | None, dict[str, str]] = {}
    placed: dict[int, dict[str, str | None]] = {}
    for judged in objects:
        account = layer_account(judged.layer)
        if judged.kind == "cluster" and judged.value is not None:
            labels.setdefault(account, {})[judged.id] = str(judged.value["label"])
        elif judged.kind == "membership" and judged.value is not None and account is not None:
            placed.setdefault(account, {})[judged.id] = judged.value["cluster"]
    final = labels.get(None, {})
    return [
        Clustering(account, {**final, **labels.get(account, {})}, placed[account])
        for account in sorted(placed)
    ]


def align(one: Clustering, other: Clustering) -> dict[str, str]:
    """Which cluster of the first judge each of the second's is: those that share most updates, one to one.

    >>> first = Clustering(1, {}, {"u1": "a", "u2": "a", "u3": "b", "u4": None})
    >>> second = Clustering(2, {}, {"u1": "x", "u2": "y", "u3": "y", "u4": "x"})
    >>> align(first, second)
    {'x': 'a', 'y': 'b'}
    """
    shared = Counter(
        (one.cluster_of[update], cluster)
        for update, cluster in other.cluster_of.items()
        if cluster is not None and one.cluster_of.get(update) is not None
    )
    # A final cluster that both added to is itself.
    same = {cluster for first, cluster in shared if first == cluster}
    rows = sorted({cluster for _, cluster in shared if cluster not in same})
    columns = sorted({first for first, _ in shared if first is not None and first not in same})
    costs = [[-float(shared[column, row]) for column in columns] for row in rows]
    aligned = {rows[row]: columns[column] for row, column in cheapest(costs) if costs[row][column] < 0}
    return aligned | {cluster: cluster for cluster in sorted(same)}


def apart(one: Clustering, other: Clustering) -> list[Placed]:
    """The updates that both placed, and not in aligned clusters, by id.

    >>> first = Clustering(1, {}, {"u1": "a", "u2": "a", "u3": "b"})
    >>> second = Clustering(2, {}, {"u1": "x", "u2": "y", "u3": "y"})
    >>> [(one.update, one.one, one.other, one.together_one, one.together_other) for one in apart(first, second)]
    [('u2', 'a', 'y', ('u1',), ('u3',))]
    """
    aligned = align(one, other)
    found = []
    for update in sorted(one.cluster_of.keys() & other.cluster_of.keys()):
        first, second = one.cluster_of[update], other.cluster_of[update]
        if first == (None if second is None else aligned.get(second, "")):
            continue
        with_one = {u for u in one.members(first) if u in other.cluster_of} if first is not None else set()
        with_other = (
            {u for u in other.members(second) if u in one.cluster_of} if second is not None else set()
        )
        found.append(
            Placed(
                update,
                first,
                second,
                tuple(sorted(with_one - with_other - {update})),
                tuple(sorted(with_other - with_one - {update})),
            )
        )
    return found


def final_ids(one: Clustering, other: Clustering) -> dict[tuple[int, str], str]:
    """The id under which each judge's clusters stand when they are final: aligned ones share the first judge's.

    >>> first = Clustering(1, {"a": "Fire", "b": "Rain"}, {"u1": "a"})
    >>> second = Clustering(2, {"a": "Flames", "b": "Wind"}, {"u1": "a"})
    >>> final_ids(first, second)[1, "b"], final_ids(first, second)[2, "b"], final_ids(first, second)[2, "a"]
    ('b', 'b-2', 'a')
    """
    ids = {(one.account_id, cluster): cluster for cluster in one.labels}
    aligned = align(one, other)
    for cluster in other.labels:
        taken = cluster in one.labels and one.labels[cluster] != other.labels[cluster]
        alone = f"{cluster}-{other.account_id}" if taken else cluster
        ids[other.account_id, cluster] = aligned.get(cluster, alone)
    return ids


class Answer(Struct, frozen=True):
    """What an account judged, and the version of that."""

    account_id: int
    version: int
    value: Any


class Judged(Struct, frozen=True):
    """An object that at least two judged; `sort` says on what they differ, empty where they do not."""

    kind: str
    id: str
    answers: tuple[Answer, ...]
    sort: str = ""


class Compared(Struct, frozen=True):
    """What at least two judged: where they differ, and where they agree; and how many objects wait for more answers."""

    contested: tuple[Judged, ...]
    agreed: tuple[Judged, ...]
    waiting: int = 0


def answer_of(kind: str, value: Any) -> Hashable:
    """What of a value is the judgment: without what suggested it, and in no order.

    >>> answer_of("matches", {"matches": [{"nugget": "n", "start": 0, "end": 4, "automatic": True}]})
    frozenset({('n', 0, 4)})
    """
    if value is None:
        return None
    if kind == "matches":
        return frozenset((match["nugget"], match["start"], match["end"]) for match in value["matches"])
    if kind == "links":
        return frozenset(value["events"])
    if kind == "membership":
        return value["cluster"]  # type: ignore[no-any-return]
    chosen = tuple(value[part] for part in KINDS[kind].choices)
    return chosen[0] if len(chosen) == 1 else chosen


def same_answer(kind: str, one: Any, other: Any) -> bool:
    """Whether two values are the same judgment."""
    return answer_of(kind, one) == answer_of(kind, other)


def sort_of(kind: str, values: Collection[Any]) -> str:
    """On what judges differ: relevance, link, span, verdict, grade, sentence or importance; empty where they do not.

    >>> one, other = {"nugget": "n", "start": 0, "end": 4}, {"nugget": "n", "start": 2, "end": 4}
    >>> sort_of("matches", [{"matches": [one]}, {"matches": [other]}])
    'span'
    >>> sort_of("matches", [{"matches": [one]}, {"matches": []}]), sort_of("grade", [{"grade": 1}, {"grade": 1}])
    ('relevance', '')
    """
    answers = {answer_of(kind, value) for value in values}
    if len(answers) < 2:
        return ""
    if kind in ("matches", "links"):
        if len({bool(answer) for answer in answers}) > 1:
            return "relevance"
        if kind == "links":
            return "link"
        nuggets = {frozenset(match["nugget"] for match in value["matches"]) for value in values}
        return "link" if len(nuggets) > 1 else "span"
    if kind == "answer":
        return "sentence" if len({value["sentence"] for value in values}) > 1 else "importance"
    return kind


def compare_objects(
    objects: Iterable[JudgedObject],
    *,
    kinds: Collection[str] = ITEM_KINDS,
    decided: bool = False,
    judges: int = 1,
) -> Compared:
    """The objects of a topic that at least two accounts judged, compared.

    Args:
        objects: of all layers of the topic.
        kinds: which.
        decided: those too that have a final judgment. Without them, what was reopened counts only once all have
            judged it again.
        judges: how many are asked to judge each. An object with fewer answers is not compared but waits.
    """
    answers: dict[tuple[str, str], list[Answer]] = {}
    final: set[tuple[str, str]] = set()
    reopened: dict[str, int] = {}
    for judged in objects:
        account = layer_account(judged.layer)
        if judged.layer == FINAL and judged.kind == "reopened":
            reopened[judged.id] = judged.version
        elif judged.layer == FINAL:
            final.add((judged.kind, judged.id))
        elif account is not None and judged.kind in kinds and judged.value is not None:
            answers.setdefault((judged.kind, judged.id), []).append(
                Answer(account, judged.version, judged.value)
            )
    contested: list[Judged] = []
    agreed: list[Judged] = []
    waiting = 0
    for (kind, object_id), given in answers.items():
        since = reopened.get(reopened_id(kind, object_id), 0)
        old = any(answer.version < since for answer in given)
        if not decided and (kind, object_id) in final:
            continue
        if len(given) < max(2, judges) or (old and not decided):
            waiting += judges > 1 or len(given) > 1
            continue
        ordered = tuple(sorted(given, key=lambda answer: answer.account_id))
        sort = sort_of(kind, [answer.value for answer in ordered])
        (contested if sort else agreed).append(Judged(kind, object_id, ordered, sort))
    return Compared(tuple(contested), tuple(agreed), waiting)


TopicObjects = Mapping[int, Sequence[JudgedObject]]
"""The objects of all layers of each topic, by its number."""

Labels = dict[str, dict[int, Any]]
Scale = Literal["nominal", "ordinal"]


class Figures(Struct, frozen=True, kw_only=True):
    """Agreement on one label of a task; nan where there is nothing to agree on.

    Args:
        task: its word.
        label: what the judges' labels say.
        topic: its number; 0 over all topics.
        judges: how many judged anything that another judged too.
        items: that at least two judged.
        same: share of the items on which all who judged them gave one label.
        cohen: Cohen's κ, mean over pairs of judges.
        fleiss: Fleiss' κ of the items with as many judges as most have.
        alpha: Krippendorff's α; ordinal for grades.
        links: mean F of pairs of judges of links to nuggets or events.
        spans: mean overlap of the characters marked for shared links, over pairs of judges.
        ari: mean adjusted Rand index of pairs of judges, over the updates that both put into clusters.
        ami: the same for adjusted mutual information.
        ratio: of 2001: sentences that a verifier accepted over those that either judge linked, mean over events.
    """

    task: str
    label: str
    topic: int
    judges: int
    items: int
    same: float = nan
    cohen: float = nan
    fleiss: float = nan
    alpha: float = nan
    links: float = nan
    spans: float = nan
    ari: float = nan
    ami: float = nan
    ratio: float = nan


class _Label(Struct, frozen=True):
    task: str
    label: str
    kind: str
    read: Callable[[Any], Hashable]
    scale: Scale = "nominal"


def _labels(task: str, kind: Kind) -> list[_Label]:
    if kind.id == "matches":
        return [_Label(task, "matches a nugget", kind.id, lambda value: bool(value["matches"]))]
    if kind.id == "membership":
        return [_Label(task, "in a cluster", kind.id, lambda value: value["cluster"] is not None)]
    if kind.id == "links":
        return [_Label(task, "reports an event", kind.id, lambda value: bool(value["events"]))]
    return [
        _Label(task, part, kind.id, itemgetter(part), "ordinal" if part == "grade" else "nominal")
        for part in kind.choices
    ]


_LABELS = tuple(label for task in TASKS for kind in task.judged for label in _labels(task.id, kind))


def agreement_of(topics: TopicObjects, tasks: Iterable[str]) -> list[Figures]:
    """Agreement by task and label: over all topics first (topic 0), then topic by topic.

    Args:
        topics: their objects.
        tasks: which of them are done in the project.

    Returns:
        Rows of those labels that at least two judges gave to the same item. Over all topics κ and α are of all their
        items; overlaps, ARI, AMI and ratio are means over topics.
    """
    wanted, rows = set(tasks), []
    for label in _LABELS:
        if label.task not in wanted:
            continue
        by_topic = {}
        for number, objects in topics.items():
            compared = compare_objects(objects, kinds=(label.kind,), decided=True)
            judged = (*compared.contested, *compared.agreed)
            if judged:
                by_topic[number] = (_row(label, number, judged), _further(label, objects, judged))
        if not by_topic:
            continue
        each = [
            _figures(label, number, labels, further) for number, (labels, further) in sorted(by_topic.items())
        ]
        everything = {
            f"{number} {item}": given
            for number, (labels, _) in by_topic.items()
            for item, given in labels.items()
        }
        names = ("links", "spans", "ari", "ami", "ratio")
        means = {name: mean_of_defined(getattr(row, name) for row in each) for name in names}
        rows += [_figures(label, 0, everything, means), *each]
    return rows


def _row(label: _Label, number: int, judged: Iterable[Judged]) -> Labels:
    return {
        entry.id: {answer.account_id: label.read(answer.value) for answer in entry.answers}
        for entry in judged
    }


def _figures(label: _Label, topic: int, labels: Labels, further: Mapping[str, float]) -> Figures:
    items = [list(given.values()) for _, given in sorted(labels.items())]
    most = Counter(map(len, items)).most_common(1)[0][0]
    return Figures(
        task=label.task,
        label=label.label,
        topic=topic,
        judges=len({account for given in labels.values() for account in given}),
        items=len(items),
        same=sum(len(set(item)) == 1 for item in items) / len(items),
        cohen=_cohen(labels),
        fleiss=fleiss_kappa([item for item in items if len(item) == most]),
        alpha=krippendorff_alpha(items, label.scale),
        **further,
    )


def _cohen(labels: Labels) -> float:
    pairs: dict[tuple[int, int], tuple[list[Any], list[Any]]] = {}
    for _, given in sorted(labels.items()):
        for one, other in combinations(sorted(given), 2):
            first, second = pairs.setdefault((one, other), ([], []))
            first.append(given[one])
            second.append(given[other])
    return mean_of_defined(cohen_kappa(first, second) for first, second in pairs.values())


def _further(label: _Label, objects: Sequence[JudgedObject], judged: Sequence[Judged]) -> dict[str, float]:
    """What a task has beside labels."""
    if label.kind == "matches":
        links = _links(
            judged, lambda value: [(m["nugget"], (m["start"], m["end"])) for m in value["matches"]]
        )
        return {"links": _pairs(links, link_overlap), "spans": _pairs(links, shared_span_overlap)}
    if label.kind == "links":
        links = _links(judged, lambda value: [(event, (0, 0)) for event in value["events"]])
        return {"links": _pairs(links, link_overlap), "ratio": links_agreement(objects)}
    if label.kind == "membership":
        pairs = [
            (first.cluster_of, other.cluster_of) for first, other in combinations(clusterings(objects), 2)
        ]
        return {
            "ari": mean_of_defined(clusters_alike(first, other, adjusted_rand) for first, other in pairs),
            "ami": mean_of_defined(
                clusters_alike(first, other, adjusted_mutual_information) for first, other in pairs
            ),
        }
    return {}


def _links(
    judged: Iterable[Judged], read: Callable[[Any], list[tuple[str, tuple[int, int]]]]
) -> dict[tuple[int, int], tuple[Links, Links]]:
    """The links of each pair of judges, on the items that both judged."""
    pairs: dict[tuple[int, int], tuple[dict[Any, Any], dict[Any, Any]]] = {}
    for item in judged:
        for first, other in combinations(item.answers, 2):
            both = pairs.setdefault((first.account_id, other.account_id), ({}, {}))
            for made, answer in zip(both, (first, other), strict=True):
                for target, span in read(answer.value):
                    made.setdefault((item.id, target), []).append(span)
    return {**pairs}


def _pairs(
    links: Mapping[tuple[int, int], tuple[Links, Links]], measure: Callable[[Links, Links], float]
) -> float:
    return mean_of_defined(measure(first, other) for first, other in links.values())


class Contested(Struct, frozen=True):
    """Something that judges see differently.

    Args:
        topic: where.
        task, sort: of which task, and on what: relevance, link, span, grade, verdict, sentence, importance or cluster.
        kind, id: the object.
        answers: what each judge said, in words, by the judge's name.
        decided: whether it has a final judgment.
        link: where it is decided.
    """

    topic: DeskTopic
    task: str
    sort: str
    kind: str
    id: str
    answers: dict[str, str]
    decided: bool
    link: str


def contested_of(desk: Desk, project: Project, topic: DeskTopic | None = None) -> list[Contested]:
    """What judges of a project see differently, by topic and task, decided or not; of one topic where it is given."""
    accounts = {account.id: account.name for account in desk.accounts.all()}
    found: list[Contested] = []
    for desk_topic in desk.projects.topics(project.id):
        if topic is None or desk_topic.number == topic.number:
            found += _of_topic(desk, project, desk_topic, accounts)
    return found


def _of_topic(desk: Desk, project: Project, topic: DeskTopic, accounts: dict[int, str]) -> list[Contested]:
    objects = desk.log.objects(project.id, topic.number)
    final = {(judged.kind, judged.id) for judged in objects if judged.layer == "final"}
    shared = names_of(desk, project.id, topic.number, (SHARED,))
    place = f"/projects/{project.id}/topics/{topic.number}/adjudication"
    texts = {
        item.id: str(item.content.get("text", ""))
        for item in desk.projects.items(project.id, topic.number, "update")
    }
    found: list[Contested] = []

    def add(kind: str, object_id: str, sort: str, answers: dict[str, str]) -> None:
        task = task_of_kind(kind)
        if task in project.tasks:
            query = f"?task={task}#item={quote(object_id, safe='|')}"
            found.append(
                Contested(
                    topic, task, sort, kind, object_id, answers, (kind, object_id) in final, place + query
                )
            )

    def words(kind: str, object_id: str, answer: Answer) -> str:
        return "; ".join(in_words(kind, answer.value, shared, texts.get(object_id, "")))

    for judged in compare_objects(objects, decided=True).contested:
        said = {accounts.get(a.account_id, "?"): words(judged.kind, judged.id, a) for a in judged.answers}
        add(judged.kind, judged.id, judged.sort, said)
    for one, other in combinations(clusterings(objects), 2):
        for placed in apart(one, other):
            labels = [
                "not relevant" if cluster is None else side.labels.get(cluster, cluster)
                for side, cluster in ((one, placed.one), (other, placed.other))
            ]
            names = [accounts.get(side.account_id, "?") for side in (one, other)]
            add("membership", placed.update, "cluster", dict(zip(names, labels, strict=True)))
    return found
