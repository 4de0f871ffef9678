"""How far the judges of a project agree: for each topic and task, and over all topics.

What is compared is what each judged alone, whatever was decided afterwards. κ and α are of labels: whether an update
tells a nugget, its grade, whether it is in a cluster, whether a sentence tells of an event (`Figures.label`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from math import nan
from typing import Any, Literal
from urllib.parse import quote

from msgspec import Struct

from tidings.annotation.desk.corrections import names_of
from tidings.annotation.desk.disagreements import (
    Answer,
    Judged,
    apart,
    clusterings,
    compare_objects,
)
from tidings.annotation.desk.operations.event_links import links_agreement
from tidings.annotation.desk.showing import in_words, task_of_kind
from tidings.annotation.store import Desk
from tidings.core import SHARED, DeskTopic, JudgedObject, Project
from tidings.evaluation import (
    Links,
    adjusted_mutual_information,
    adjusted_rand,
    clusters_alike,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    link_overlap,
    mean_of_defined,
    shared_span_overlap,
)

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


_LABELS = (
    _Label("matching", "tells a nugget", "matches", lambda value: bool(value["matches"])),
    _Label("relevance", "grade", "relevance", lambda value: value["grade"], "ordinal"),
    _Label("clusters", "in a cluster", "membership", lambda value: value["cluster"] is not None),
    _Label("linking", "tells of an event", "links", lambda value: bool(value["events"])),
    _Label("verification", "accepted", "verdict", lambda value: value["accepted"]),
    _Label("entities", "grade", "grade", lambda value: value["grade"], "ordinal"),
    _Label("entities", "sentence", "answer", lambda value: value["sentence"]),
    _Label("entities", "important", "answer", lambda value: value["important"]),
)


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
    return {one.id: {answer.account_id: label.read(answer.value) for answer in one.answers} for one in judged}


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
    for one in desk.projects.topics(project.id):
        if topic is None or one.number == topic.number:
            found += _of_topic(desk, project, one, accounts)
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
