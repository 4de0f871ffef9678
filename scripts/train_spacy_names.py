"""Train spaCy's recogniser of entities on the corpora that tidings' own is trained on, as a yardstick.

    python scripts/train_spacy_names.py --data ../shared/data --out /tmp/spacy-names --epochs 3
    python scripts/table_of_names.py --data ../shared/data --spacy /tmp/spacy-names

Names are those of `name_corpora.py`; the pipeline is a blank English one with `ner` as spaCy sets
it up (a convolutional network over hashed words, no vectors). Needs spaCy, which tidings itself does not.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import spacy
from frame import parser as command_line
from name_training import CORPORA, LABELS, labelled, labels_of
from spacy.tokens import Doc
from spacy.training import Example, iob_to_biluo
from spacy.util import fix_random_seed, minibatch


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    fix_random_seed(given.seed)
    language = spacy.blank("en")
    language.add_pipe("ner")
    examples = []
    for documents in labelled(given.data, CORPORA).values():
        for document in documents:
            if document.part == "train":
                for sentence in document.sentences:
                    doc = Doc(
                        language.vocab, words=[token if token.strip() else "_" for token in sentence.tokens]
                    )
                    names = iob_to_biluo([LABELS[label] for label in labels_of(sentence)])
                    examples.append(Example.from_dict(doc, {"entities": names}))
    optimizer = language.initialize(lambda: examples)
    chance = random.Random(given.seed)
    began = time.process_time()
    for epoch in range(given.epochs):
        chance.shuffle(examples)
        losses: dict[str, float] = {}
        for batch in minibatch(examples, 64):
            language.update(batch, sgd=optimizer, losses=losses, drop=0.2)
        print(
            f"epoch {epoch + 1}: loss {losses['ner']:,.0f}, {time.process_time() - began:,.0f} s", flush=True
        )
        language.to_disk(given.out)


if __name__ == "__main__":
    main()
