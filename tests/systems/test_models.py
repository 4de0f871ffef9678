"""Model files: the same model gives the same bytes, and what is no model of the system is refused."""

from __future__ import annotations

import contextlib
import os

import numpy as np
import pytest

from tests.systems.streams import FERRY
from tidings.errors import FormatError, TidingsError, UsageError
from tidings.records import DataUsed, Document, ModelCard, Sentence
from tidings.stream import follow
from tidings.systems import make
from tidings.systems.models import Model, read_model, shipped_models, write_model_bytes


def model(**changed) -> Model:
    card = ModelCard(
        system="fake", seed=3, data=(DataUsed(name="2030", events=("A.1",), digest="d"),), scores={"H": 0.5}
    )
    arrays = {"b": np.arange(3, dtype=np.int32), "a": np.ones((2, 2), dtype=np.float32)}
    return Model(**({"card": card, "arrays": arrays, "settings": {"y": [1], "x": "é"}} | changed))


def test_the_same_model_gives_the_same_bytes() -> None:
    assert len({write_model_bytes(model()) for _ in range(20)}) == 1


def test_what_is_written_is_read(tmp_path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(write_model_bytes(model()))
    found = read_model("fake", path)
    assert (found.card, found.settings) == (model().card, model().settings)
    assert found.array("b").tolist() == [0, 1, 2]
    assert found.array("a").dtype == np.float32
    with pytest.raises(UsageError, match="no array 'c'"):
        found.array("c")


def test_the_file_is_read_by_safetensors_itself(tmp_path) -> None:
    from safetensors.numpy import load

    found = load(write_model_bytes(model()))
    assert sorted(found) == ["a", "b"]
    assert found["a"].tolist() == [[1, 1], [1, 1]]


def test_the_model_of_another_system_is_refused(tmp_path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(write_model_bytes(model()))
    with pytest.raises(UsageError, match="a model of system 'fake', expected one of 'ius'"):
        read_model("ius", path)


@pytest.mark.parametrize("cut", [0, 4, 12, 200, -1])
def test_a_damaged_file_is_refused(tmp_path, cut) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(write_model_bytes(model())[:cut])
    with pytest.raises(FormatError, match="a model file of tidings"):
        read_model("fake", path)
    with pytest.raises(UsageError, match="found no readable file"):
        read_model("fake", tmp_path / "none.safetensors")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a plain one"):
        read_model("fake", tmp_path / "pipe")


def test_numbers_that_are_none_are_refused(tmp_path) -> None:
    """NaN would make a system silent without a word; infinity may stand in trees."""
    path = tmp_path / "m.safetensors"
    path.write_bytes(write_model_bytes(model(arrays={"a": np.array([1.0, np.nan], dtype=np.float32)})))
    with pytest.raises(FormatError, match="no numbers"):
        read_model("fake", path)
    path.write_bytes(write_model_bytes(model(arrays={"a": np.array([1.0, np.inf], dtype=np.float32)})))
    assert np.isinf(read_model("fake", path).array("a")[1])


@pytest.mark.parametrize("system", shipped_models())
def test_a_model_of_wrong_shapes_is_one_line_to_a_user(tmp_path, system) -> None:
    """Whichever array is cut short or missing: following says so, names the system, and tells nothing wrong."""
    whole = read_model(system)
    stream = [Document(id="d", published_time=1, sentences=(Sentence("d", 0, "Ferry fire in the port.", 1),))]
    path = tmp_path / "m.safetensors"
    for name, array in whole.arrays.items():
        damaged = dict(whole.arrays)
        if array.ndim and len(array) > 1:
            damaged[name] = array[:1]
        else:
            del damaged[name]
        path.write_bytes(write_model_bytes(Model(card=whole.card, arrays=damaged, settings=whole.settings)))
        with contextlib.suppress(TidingsError):
            list(follow(stream, [FERRY], make(f"{system}:model={path}")))
