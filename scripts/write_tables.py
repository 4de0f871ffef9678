"""Write the tables of the pages that scripts and commands print; with --check, say which have drifted.

    python scripts/write_tables.py ../shared/data [--work FOLDER] [--check] [--long] [--only WORD,…]

A line above a table says where it comes from:

    <!-- table: NAME -->             a function below puts it together from files that commands write
    <!-- table: COMMAND -->          the command prints it, run at the root of the checkout
    <!-- long table: COMMAND -->     the same, but it takes an hour or more, or needs what is not installed everywhere:
                                     made again with --long alone
    <!-- no table: REASON -->        its figures are not measured, or are times, which no check can hold

Of what a command prints, the table is the one that has the page's columns and most of its rows. A page may leave
columns and rows out: rows are known by the cells on the left of their figures. What a command has written into the
work folder is used again, so that a run that was stopped goes on; without --work the folder is a new one. --only takes
words of names, commands or pages. A figure has drifted where it differs by more than one unit of its last digit: sums
differ that much between processors.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from frame import parser as command_line

SCRIPTS = Path(__file__).parent
ROOT = SCRIPTS.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
YEARS = ("2013", "2014")
RANKERS = ("entities", "adapter", "no-adapt", "sal", "inf", "ius-entities", "taer", "frequency", "contexts")
RULES = ("random", "highest-grade", "earliest", "most-popular", "automatic")
WORSE = ("-thinned-", "-delayed-", "-shuffled", "-noisy-", "-early-")
BUNDLED = ROOT / "src" / "tidings" / "sources" / "bundled" / "santiago-2013"

Rows = list[Sequence[str]]


class Results:
    """What the commands give, each made once in the work folder."""

    def __init__(self, data: Path, work: Path) -> None:
        self.data, self.work = data.resolve(), work
        for name, folder in (("trec-ts", self.data / "trec-ts"), ("event", BUNDLED)):
            if not (work / name).exists():
                (work / name).symlink_to(folder)

    def run(self, *words: str, out: str = "") -> str:
        """A command of tidings, or a script's, in the work folder, unless what it writes is there; what it prints."""
        if out and (self.work / out).exists():
            return ""
        if words[0].endswith(".py"):
            program = [sys.executable, str(SCRIPTS / words[0])]
        else:
            program = [str(Path(sys.executable).with_name("tidings")), words[0]]
        print("$", *words, file=sys.stderr)
        done = subprocess.run(
            [*program, *words[1:]], cwd=self.work, capture_output=True, text=True, check=False
        )
        if done.returncode:
            if out:
                shutil.rmtree(self.work / out, ignore_errors=True)
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return done.stdout

    def runs(self, name: str, *, worse: bool = True) -> list[str]:
        """The runs of a year or of the bundled event; without the worse copies where these would save each other."""
        source = "event" if name == "event" else f"trec-ts/{name}"
        self.run("make_diverse_runs.py", source, f"runs/{name}", out=f"runs/{name}")
        paths = sorted(path for path in (self.work / "runs" / name).glob("*.jsonl"))
        return [
            str(path.relative_to(self.work))
            for path in paths
            if worse or not any(word in path.name for word in WORSE)
        ]

    def read(self, out: str, *words: str) -> Any:
        """The JSON that a command writes."""
        self.run(*words, "--out", out, out=out)
        return json.loads((self.work / out).read_bytes())

    @cache  # noqa: B019 one of them, for the life of the script
    def study(self, kind: str, verbosity: bool = False) -> Any:
        """The study of both years by a rule, or with clusters of all that was pooled, or of the bundled event."""
        more = ["--verbosity"] if verbosity else []
        out = f"study-{kind}{'-verbosity' * verbosity}.json"
        if kind.startswith("event"):
            folders = ["event", "event"] if kind == "event" else ["event", "--silver", "automatic"]
            return self.read(out, "study", *folders, *self.runs("event"), *more)
        runs = [path for year in YEARS for path in self.runs(year)]
        if kind != "pooled":
            folders = ["trec-ts/2013", "--silver", kind, "--also", "trec-ts/2014"]
            return self.read(out, "study", *folders, *runs, *more)
        for year in YEARS:
            words = ["--judgments", f"trec-ts/{year}", "--least", "3", "--out", f"{year}.jsonl"]
            self.run("cluster", *words, out=f"{year}.jsonl")
        also = ["--also", "trec-ts/2014", "--also", "2014.jsonl"]
        return self.read(out, "study", "trec-ts/2013", "2013.jsonl", *also, *runs, "--seeds", "3", *more)

    def pairs(self, year: str) -> str:
        """What the matcher that learned from the other year takes for possible."""
        other = next(name for name in YEARS if name != year)
        model, out = f"matcher-{other}.safetensors", f"pairs-{year}.jsonl"
        self.run("train", "matcher", "-j", f"trec-ts/{other}", "--out", model, out=model)
        words = ["-j", f"trec-ts/{year}", "--model", model, "--least", "0.01", "--out", out]
        self.run("match", *words, out=out)
        return out

    @cache  # noqa: B019 one of them, for the life of the script
    def reuse(self, year: str, how: str) -> Any:
        """`tidings reuse` of a year: `team`, `plain` (the same without calibration), or `run` (judged only)."""
        runs = self.runs(year, worse=False)
        words = {
            "team": ["--by", "team", "--draws", "10"],
            "plain": ["--by", "team", "--no-calibrate"],
            "run": ["--judged-only"],
        }[how]
        matched = [] if how == "run" else ["--matches", self.pairs(year)]
        return self.read(f"reuse-{year}-{how}.json", "reuse", f"trec-ts/{year}", *runs, *matched, *words)

    @cache  # noqa: B019 one of them, for the life of the script
    def cluster_reuse(self) -> list[list[str]]:
        """The rows of scripts/table_of_left_out_clusters.py on 2014, a team left out."""
        words = ["trec-ts/2014", self.pairs("2014"), *self.runs("2014", worse=False), "--by", "team"]
        printed = self.run("table_of_left_out_clusters.py", *words)
        return [
            [cell.strip() for cell in line.split("|")[1:-1]]
            for line in printed.splitlines()
            if line.startswith("| clusters:")
        ]


def f3(value: float) -> str:
    """Three digits, without the nought in front."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.3f}").replace("-", "−")


def f4(value: float, sign: str = "") -> str:
    """Four digits, likewise."""
    return re.sub(r"^([-+]?)0\.", r"\1.", f"{value:{sign}.4f}").replace("-", "−")


def percent(value: float) -> str:
    """A share as a percentage with one digit."""
    return f"{100 * value:.1f} %"


def found(rows: Iterable[dict[str, Any]], **wanted: object) -> dict[str, Any]:
    """The row that has these values."""
    return next(row for row in rows if all(row[key] == value for key, value in wanted.items()))


def taus(study: Any, metric: str) -> list[float]:
    """Kendall's τ of a metric, by year."""
    return [row["tau"] for row in study["correlations"] if row["metric"] == metric]


def bundled(results: Results) -> Rows:
    """The study of the bundled event."""
    study = results.study("event")
    rules = {row["one"]: row for row in study["projections"]["rules"]}
    gain, share = (found(study["agreement"], metric=metric) for metric in ("EG", "C"))
    names = ("random", "highest-grade", "earliest", "most-popular")
    return [
        ("figure", f"{len(study['runs'])} runs"),
        (
            "Kendall's τ, expected gain / comprehensiveness",
            f"{f3(taus(study, 'EG')[0])} / {f3(taus(study, 'C')[0])}",
        ),
        ("pairs that agree, ties left out, EG / C", f"{percent(gain['share'])} / {percent(share['share'])}"),
        ("the same, of all pairs", f"{percent(gain['share_of_all'])} / {percent(share['share_of_all'])}"),
        (
            "ARI, random / highest grade / earliest / most popular",
            " / ".join(f3(rules[name]["ari"]) for name in names),
        ),
        ("AMI (max), the same", " / ".join(f3(rules[name]["ami"]) for name in names)),
    ]


def causes(results: Results) -> Rows:
    """The updates that cause most of the disagreement on the bundled event."""
    (topic,) = results.study("event")["disagreements"]
    heads = (
        "update",
        "nuggets",
        "its clusters",
        "runs",
        "disagreeing pairs less without it, EG",
        "the same, C",
    )
    rows: Rows = [heads]
    for cause in topic["causes"][:3]:
        counts = (len(cause["nuggets"]), len(cause["clusters"]), cause["runs"])
        fewer = (
            f"{cause['fewer'][name]} of {topic['disagree'][name]}".replace("-", "−") for name in ("EG", "C")
        )
        rows.append((f"“{cause['text']}”", *map(str, counts), *fewer))
    return rows


def beside_2017(results: Results) -> Rows:
    """The paper's figures beside those of silver clusters."""
    study = results.study("most-popular")
    gain, share = (found(study["agreement"], metric=metric) for metric in ("EG", "C"))
    rules = {row["one"]: row for row in study["projections"]["rules"]}
    pairs = {(row["topic"], row["metric"]): row for row in study["pairs"]}

    def least(metric: str) -> tuple[str, str]:
        value, topic = min((row["share"], topic) for (topic, kind), row in pairs.items() if kind == metric)
        return topic, percent(value)

    (topic_eg, least_eg), (topic_c, least_c) = least("EG"), least("C")
    names = ("random", "highest-grade", "earliest")
    heads = "2017: 22 topics, people's clusters, submitted runs"
    here = f"here: {len(study['topics'])} topics, silver clusters, {len(study['runs'])} runs"
    return [
        ("figure", heads, here),
        *(
            (
                f"pairs that agree by {name}",
                paper,
                f"{percent(row['share'])} without ties, {percent(row['share_of_all'])} of all",
            )
            for name, paper, row in (
                ("expected gain", "79.2 %", gain),
                ("comprehensiveness", "79.6 %", share),
            )
        ),
        (
            "topics with more than 80 %, EG / C",
            "12 / 9 of 22",
            f"{gain['topics_above']} / {share['topics_above']} of {gain['topics']} (without ties)",
        ),
        (
            "least of a topic, EG",
            "TS13.5, 45 %",
            f"{topic_eg}, {least_eg} (TS13.5: {percent(pairs['TS13.5', 'EG']['share'])})",
        ),
        ("least of a topic, C", "TS14.13, 63 %", f"{topic_c}, {least_c}"),
        ("τ on TS13.5, EG", "−.115", f3(pairs["TS13.5", "EG"]["tau"])),
        (
            "ARI, random / highest grade / earliest",
            ".173 / .174 / .166, against people's clusters",
            f"{' / '.join(f3(rules[name]['ari']) for name in names)}, against most popular",
        ),
        (
            "AMI (normaliser not stated; here max)",
            ".130 / .131 / .129",
            " / ".join(f3(rules[name]["ami"]) for name in names),
        ),
    ]


def _agreement_row(name: str, study: Any) -> tuple[str, ...]:
    gain, share = (found(study["agreement"], metric=metric)["share"] for metric in ("EG", "C"))
    figures = [f3(tau) for metric in ("EG", "C") for tau in taus(study, metric)]
    return (name, *figures, f"{percent(gain)} / {percent(share)}")


def silver(results: Results) -> Rows:
    """τ by year, and pairs that agree, for each way of making clusters, and with verbosity."""
    pairs = "pairs that agree, no ties, EG / C"
    rows: Rows = [("clusters", "EG 2013", "EG 2014", "C 2013", "C 2014", pairs)]
    rows += [_agreement_row(f"`{rule}`", results.study(rule)) for rule in RULES]
    rows.append(_agreement_row("`tidings cluster`, all that was pooled", results.study("pooled")))
    rows += [
        _agreement_row(f"`{rule}`, `--verbosity`", results.study(rule, True))
        for rule in ("most-popular", "automatic")
    ]
    return rows


def silver_bundled(results: Results) -> Rows:
    """The bundled event with clusters as judged, by a program, and with verbosity."""
    rows: Rows = [("clusters of the bundled event", "τ, EG", "τ, C", "pairs that agree, no ties, EG / C")]
    for name, study in (
        ("as judged", results.study("event")),
        ("as judged, `--verbosity`", results.study("event", True)),
        ("`--silver automatic`", results.study("event-automatic")),
    ):
        label, *figures = _agreement_row(name, study)
        rows.append((label, *figures))
    return rows


def _left_out(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    return (
        name,
        f3(row["tau"]),
        f4(row["change"], "+"),
        f4(row["absolute"]),
        str(row["moved"]),
        f"{row['ranks']:.1f}",
    )


def left_out(results: Results) -> Rows:
    """A team left out."""
    heads = ("a team left out", "τ with all judgments", "mean change of H", "mean abs. change")
    rows: Rows = [(*heads, "runs that move", "mean move")]
    for year in reversed(YEARS):
        team, plain = results.reuse(year, "team"), results.reuse(year, "plain")
        count = len(team["left"])
        rows.append(_left_out(f"{year}, {count} runs, judged only", team["people"]))
        rows += [_left_out(f"{year}, {how}", team[how]) for how in ("automatic", "expected")]
        rows += [
            _left_out(f"{year}, {how}, `--no-calibrate`", plain[how]) for how in ("automatic", "expected")
        ]
    for year in reversed(YEARS):
        row = results.reuse(year, "run")["people"]
        rows.append(_left_out(f"{year}, a single run left out, judged only", row))
    return rows


def depth(results: Results) -> Rows:
    """Pool depth: mean absolute change and τ."""
    by = ("judged only", "automatic", "automatic, `--no-calibrate`")
    rows: Rows = [("depth", *(f"{year}, {name}" for year in reversed(YEARS) for name in ("texts", *by)))]

    def cell(row: dict[str, Any]) -> str:
        return f"{f4(row['absolute'])}, {f3(row['tau'])}"

    for place, level in enumerate(results.reuse("2014", "team")["depths"]):
        row = [str(level["depth"])]
        for year in reversed(YEARS):
            own = results.reuse(year, "team")["depths"][place]
            plain = results.reuse(year, "plain")["depths"][place]
            cells = (cell(own["people"]), cell(own["automatic"]), cell(plain["automatic"]))
            row += [f"{own['texts']:,}", *cells]
        rows.append(row)
    return rows


def left_out_clusters(results: Results) -> Rows:
    """A team left out where judgments are clusters."""
    names = {"clusters:EG": "expected gain", "clusters:C": "comprehensiveness"}
    heads = ("2014, a team left out", "τ", "mean change", "mean abs. change", "runs that move", "mean move")
    rows: Rows = [(*heads, "greatest")]
    for measure, how, tau, change, absolute, *moves in results.cluster_reuse():
        figures = (f3(float(tau)), f4(float(change), "+"), f4(float(absolute)))
        rows.append((f"{names[measure]}, {how}", *figures, *moves))
    return rows


def which(results: Results) -> Rows:
    """What the recommendations say of reuse: nuggets against clusters."""
    team, plain = results.reuse("2014", "team"), results.reuse("2014", "plain")
    by = {(row[0], row[1]): [float(cell) for cell in row[2:]] for row in results.cluster_reuse()}
    gain, share = ("clusters:EG", "clusters:C")
    only, mended = "judged only", "with automatic clusters"

    def clusters(how: str, place: int, form: Callable[[float], str]) -> str:
        return f"{form(by[gain, how][place])} / {form(by[share, how][place])}"

    def places(value: float) -> str:
        return f"{value:.1f}"

    single = results.reuse("2014", "run")["people"]
    automatic = [plain["automatic"], team["automatic"]]
    return [
        ("question (2014, a team left out)", "nuggets (H)", "clusters (expected gain / comprehensiveness)"),
        (
            "its order, with judged updates only",
            f"τ {f3(team['people']['tau'])}, runs move by {places(team['people']['ranks'])} places",
            f"τ {clusters(only, 0, f3)}, by {clusters(only, 4, places)} places",
        ),
        (
            "its order, with automatic matches or clusters",
            f"τ {f3(automatic[0]['tau'])} (`--no-calibrate`), {f3(automatic[1]['tau'])}; "
            f"by {places(automatic[0]['ranks'])}, {places(automatic[1]['ranks'])} places",
            f"τ {clusters(mended, 0, f3)}, by {clusters(mended, 4, places)} places",
        ),
        (
            "how far its scores are off, judged updates only",
            f3(team["people"]["absolute"]),
            clusters(only, 2, f3),
        ),
        (
            "the same, expected over automatic matches; with automatic clusters",
            f3(team["expected"]["absolute"]),
            clusters(mended, 2, f3),
        ),
        (
            "a single run left out, where others choose alike",
            f"off by {f3(single['absolute'])}",
            "not measured",
        ),
    ]


def all_automatic(results: Results) -> Rows:
    """With no match a person's."""
    folders = [
        folder for year in YEARS for folder in (f"trec-ts/{year}", f"runs/{year}") if results.runs(year)
    ]
    return printed_tables(results.run("table_of_automatic.py", *folders))[0]


def compare_example(results: Results) -> Rows:
    """Three submitted runs and three of ours, compared."""
    systems = ("cosine", "allan2001", "first")
    for name in systems:
        out = f"{name}.jsonl"
        words = ("trec-ts/2014", "--event", "all", "--system", name, "--run-name", name, "-q", "--out", out)
        results.run("follow", *words, out=out)
    runs = ("trec-ts/2014/runs/cunlp.run.gz", *(f"{name}.jsonl" for name in systems))
    words = ("-j", "trec-ts/2014", "--baseline", "2APSal", "--measures", "H", "--format", "markdown")
    return next(
        rows for rows in printed_tables(results.run("compare", *runs, *words)) if "difference" in rows[0]
    )


def bundled_entities(results: Results) -> Rows:
    """The rankers of entities on the days of the bundled event, by the grades that come with it."""
    names = ("P@3", "P@10", "MAP", "NDCG@10", "SRDP@3")
    rows: Rows = [("ranker", *names)]
    for ranker in RANKERS:
        out = f"entities-{ranker}.jsonl"
        results.run("entities", "event", "--event", "all", "--system", ranker, "-q", "--out", out, out=out)
        words = ("-j", "event", "--rules", "entities-2015", "-m", ",".join(names), "--format", "long")
        printed = results.run("score", out, *words).splitlines()
        by = dict(line.split("\t")[-2:] for line in printed if "\tall\t" in line)
        label = "`entities` (the default, ranker `tidings`)" if ranker == "entities" else f"`{ranker}`"
        rows.append((label, *(f"{float(by[name]):.3f}" for name in names)))
    return rows


TABLES: dict[str, Callable[[Results], Rows]] = {
    "which-reuse": which,
    "left-out": left_out,
    "depth": depth,
    "left-out-clusters": left_out_clusters,
    "bundled-study": bundled,
    "bundled-causes": causes,
    "study-2017": beside_2017,
    "silver": silver,
    "silver-bundled": silver_bundled,
    "all-automatic": all_automatic,
    "compare-example": compare_example,
    "bundled-entities": bundled_entities,
}


def markdown(rows: Rows) -> str:
    """The rows as a table, numbers to the right."""
    right = [
        all(re.match(r"[−+.\d]", row[column]) and (column or row[0].isdigit()) for row in rows[1:])
        for column in range(len(rows[0]))
    ]
    rule = ["---:" if number else "---" for number in right]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        for row in (rows[0], rule, *rows[1:])
    )


_PLACE = re.compile(r"<!-- (long |no )?table: (.+?) -->\n\n((?:\|.*\n)+)")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


def same(one: str, other: str) -> bool:
    """Whether two tables say the same, decimals within one unit of their last digit.

    >>> same("| .874 of 24 |", "| .875 of 24 |"), same("| .874 |", "| .876 |"), same("| 24 |", "| 25 |")
    (True, False, False)
    """
    if _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    for left, right in zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True):
        digits = len(left.partition(".")[2])
        if digits != len(right.partition(".")[2]):
            return False
        far = abs(float(left.replace(",", "")) - float(right.replace(",", "")))
        if far > (1.5 * 10**-digits if digits else 0):
            return False
    return True


def cells_of(line: str) -> list[str]:
    """The cells of a table's line."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def printed_tables(text: str) -> list[list[list[str]]]:
    """What a command prints as tables: in Markdown, or columns that two blanks part.

    >>> printed_tables("so\\n| a | b |\\n|---|---|\\n| x | 1 |\\n\\na  b\\ny  2\\n")
    [[['a', 'b'], ['x', '1']], [['a', 'b'], ['y', '2']]]
    """
    tables: list[list[list[str]]] = [[]]
    for line in text.splitlines():
        if re.fullmatch(r"[\s|:-]+", line) and line.strip():
            continue
        cells = cells_of(line) if line.startswith("|") else re.split(r"\s{2,}", line.strip())
        if tables[-1] and len(cells) != len(tables[-1][0]):
            tables.append([])
        if len(cells) > 1:
            tables[-1].append(cells)
    return [table for table in tables if len(table) > 1]


def key_of(row: Sequence[str], columns: int) -> tuple[str, ...]:
    """What a row is known by: its cells on the left, without marks."""
    return tuple(cell.strip("*` ") for cell in row[:columns])


_FIGURE = re.compile(r"[*`−+–-]*[\d.].*|[–-]?")


def anew(page: str, printed: str) -> str:
    """The page's table with the figures that a command prints now.

    Raises:
        SystemExit: it prints no such table, or lacks a row.

    >>> print(anew("| who | H | C |\\n|---|---:|---:|\\n| b | .1 | .2 |", "who  C  x  H\\na  .3  1  .4\\nb  .5  2  .6"))
    | who | H | C |
    |---|---:|---:|
    | b | .6 | .5 |
    """
    heads, rule, *lines = page.splitlines()
    names, rows = cells_of(heads), [cells_of(line) for line in lines]
    figures = [mark.endswith(":") for mark in cells_of(rule)]
    if not any(figures):
        figures = [all(_FIGURE.fullmatch(row[place]) for row in rows) for place in range(len(names))]
        keys = max((place + 1 for place in range(len(names)) if not figures[place]), default=1)
    else:
        keys = max(1, figures.index(True))
    best: dict[tuple[str, ...], list[str]] = {}
    for title, *body in printed_tables(printed):
        if not set(names) <= set(title):
            continue
        order = range(len(names)) if names == title else [title.index(name) for name in names]
        chosen = [[row[place] for place in order] for row in body]
        if names == title and len(chosen) == len(rows) and not best:
            return "\n".join([heads, rule, *(f"| {' | '.join(row)} |" for row in chosen)])
        found = {key_of(row, keys): row for row in chosen}
        if sum(key_of(row, keys) in found for row in rows) > sum(key_of(row, keys) in best for row in rows):
            best = found
    lacking = [row for row in rows if key_of(row, keys) not in best]
    if lacking:
        raise SystemExit(f"not printed: {heads}\n{lacking[0]}\nbut\n{printed[-3000:]}")
    written = (best[key_of(row, keys)] for row in rows)
    return "\n".join([heads, rule, *(f"| {' | '.join(row)} |" for row in written)])


def printed_by(command: str, work: Path) -> str:
    """What a command prints, run at the root of the checkout; kept in the work folder."""
    kept = work / f"{re.sub(r'[^A-Za-z0-9]+', '-', command)[:150]}.txt"
    if not kept.exists():
        print("$", command, file=sys.stderr)
        words = shlex.split(command)
        settings = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
        program, *rest = words[len(settings) :]
        programs = [sys.executable] if program == "python" else [str(Path(sys.executable).with_name(program))]
        surroundings = {**os.environ, "COLUMNS": "400", **settings}
        done = subprocess.run(
            [*programs, *rest], cwd=ROOT, capture_output=True, text=True, check=False, env=surroundings
        )
        if done.returncode:
            raise SystemExit(f"{command}: {done.stderr[-3000:]}")
        kept.write_text(done.stdout, encoding="utf-8")
    return kept.read_text(encoding="utf-8")


def main() -> int:
    """Write the tables, or say which have drifted."""
    parser = command_line(__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds trec-ts")
    parser.add_argument("--work", type=Path, help="where commands write, and find what they wrote before")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; leave with 1 where a table has drifted"
    )
    parser.add_argument("--long", action="store_true", help="those that take hours, too")
    parser.add_argument("--only", default="", help="tables of which name, command or page holds one of these")
    words = parser.parse_args()
    drifted, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        work = words.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        results = Results(words.data, work)
        for page in PAGES:
            name = str(page.relative_to(ROOT))
            for kind, source, lines in _PLACE.findall(page.read_text(encoding="utf-8")):
                wanted = any(word in f"{name} {source}" for word in words.only.split(","))
                if not wanted or kind == "no " or (kind and not words.long):
                    continue
                table, made = lines.rstrip("\n"), TABLES.get(source)
                try:
                    now = markdown(made(results)) if made else anew(table, printed_by(source, work))
                except SystemExit as error:  # the others are still worth a look
                    failed.append(source)
                    print(f"{name}: {source}: {error}\n")
                    continue
                if same(table, now):
                    continue
                drifted.append(source)
                print(f"{name}: {source}: was\n{table}\nand is\n{now}\n")
                if not words.check:
                    text = page.read_text(encoding="utf-8")
                    page.write_text(text.replace(table, now), encoding="utf-8")
    return 1 if failed or (drifted and words.check) else 0


if __name__ == "__main__":
    sys.exit(main())
