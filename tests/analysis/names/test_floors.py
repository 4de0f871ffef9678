"""Floors under what the shipped recogniser and co-reference reach, against damage (docs/following/entities.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from name_corpora import read_gum
from name_scores import measure, measure_chains
from name_training import labelled

from tidings.analysis.names.coreference import resolve
from tidings.analysis.names.weights import read_weights, shipped_recogniser

FLOORS = {"gum": 0.7, "wnut": 0.56, "btc": 0.68, "ewt": 0.71}


@pytest.mark.long
@pytest.mark.shared_data
@pytest.mark.parametrize("corpus", FLOORS)
def test_names_of_documents_that_were_not_learned_from(corpus: str, shared_data: Path) -> None:
    documents = [one for one in labelled(shared_data, [corpus])[corpus] if one.part == "dev"]
    reached = measure(documents, shipped_recogniser().spans)["all", "all"].f1
    assert reached >= FLOORS[corpus]
    assert reached == pytest.approx(read_weights()[1].scores[f"F1 {corpus}"], abs=0.005)  # as the card says


@pytest.mark.long
@pytest.mark.shared_data
def test_chains_of_gum(shared_data: Path) -> None:
    score = measure_chains(read_gum(shared_data / "ner" / "gum"), resolve)
    assert score.f1 >= 0.93
    assert score.pronouns.precision >= 0.77
