"""A run and the weights that decide it: other weights are another run."""

from __future__ import annotations

import numpy as np

from tests.research.training.conftest import fake
from tidings.cli import run
from tidings.core.models.files import Model, write_model_bytes
from tidings.core.records import ModelCard
from tidings.sources import bundled

__all__ = ["fake"]


def test_going_on_with_other_weights_is_refused(tmp_path, fake, capsys) -> None:
    model, out = tmp_path / "m.safetensors", tmp_path / "run.jsonl"
    command = ["follow", str(bundled.path()), "--system", f"fake:model={model}", "--out", str(out), "--quiet"]

    def learn(every: int) -> None:
        arrays = {"every": np.array([every], dtype=np.int32)}
        model.write_bytes(write_model_bytes(Model(card=ModelCard(system="fake"), arrays=arrays)))

    learn(3)
    assert run(command) == 0
    assert run(command) == 0  # the same weights: nothing to do
    learn(4)
    capsys.readouterr()
    assert run(command) == 2
    said = capsys.readouterr().err
    assert "model" in said and "--restart" in said
    assert run([*command, "--restart"]) == 0


def test_a_card_says_which_file_it_is_of() -> None:
    from tidings.following.systems.registry import make

    card = make("ius").card
    assert card is not None and len(card.digest) == 64
