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

LICENCE = """\
# Irregular forms of English words: base form, then its forms. Taken from the exception lists of WordNet 3.0 by
# scripts/write_irregular_forms.py: forms of four letters and more whose base form their stem is not.
#
# WordNet 3.0 license: (for this file)
#
# This software and database is being provided to you, the LICENSEE, by Princeton University under the following
# license. By obtaining, using and/or copying this software and database, you agree that you have read, understood, and
# will comply with these terms and conditions.:
#
# Permission to use, copy, modify and distribute this software and database and its documentation for any purpose and
# without fee or royalty is hereby granted, provided that you agree to comply with the following copyright notice and
# statements, including the disclaimer, and that the same appear on ALL copies of the software, database and
# documentation, including modifications that you make for internal use or for distribution.
#
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.
#
# THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES,
# EXPRESS OR IMPLIED. BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR
# WARRANTIES OF MERCHANTABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE,
# DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.
#
# The name of Princeton University or Princeton may not be used in advertising or publicity pertaining to distribution
# of the software and/or database. Title to copyright in this software, database and any associated documentation shall
# at all times remain with Princeton University and LICENSEE agrees to preserve same.
"""


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
    lines = [" ".join((lemma, *those)) for lemma, those in sorted(forms.items())]
    TARGET.write_text(LICENCE + "\n".join(lines) + "\n", encoding="ascii")
    print(f"{TARGET.name}: {sum(map(len, forms.values()))} forms of {len(forms)} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
