"""Write the irregular forms that ROUGE 1.5.5 looks up before it stems, from WordNet's own files.

    python scripts/write_irregular_forms.py /usr/share/wordnet

The folder is that of WordNet 3.0 (Debian's package wordnet-base has it). ROUGE comes with WordNet 2.0, whose lists are
the same but for the six forms below. Only forms that the stemmer would treat otherwise are kept: two thirds.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from tidings.evaluation.measures.tls.stems import porter

TARGET = Path(__file__).parents[1] / "src" / "tidings" / "evaluation" / "measures" / "tls" / "irregular.txt"
SINCE_2_0 = {"ashes", "cognosenti", "halfpence", "lisente", "morses", "staretsy"}


def main() -> int:
    """Read the four lists, later ones over earlier ones, and write."""
    base: dict[str, str] = {}
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (Path(sys.argv[1]) / f"{kind}.exc").read_text(encoding="ascii").splitlines():
            form, lemma = line.split()[:2]
            base[form] = lemma
    forms = defaultdict(list)
    for form, lemma in sorted(base.items()):
        plain = form.isascii() and form.isalnum() and len(form) > 3
        if plain and form not in SINCE_2_0 and porter(form) != lemma:
            forms[lemma].append(form)
    licence = [line for line in TARGET.read_text(encoding="ascii").splitlines() if line.startswith("#")]
    lines = [" ".join((lemma, *those)) for lemma, those in sorted(forms.items())]
    TARGET.write_text("\n".join([*licence, *lines]) + "\n", encoding="ascii")
    print(f"{TARGET.name}: {sum(map(len, forms.values()))} forms of {len(forms)} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
