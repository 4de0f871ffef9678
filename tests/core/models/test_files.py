"""Model files: the same model gives the same bytes, and what is no model of the system is refused."""

from __future__ import annotations

import hashlib
import os

import msgspec
import numpy as np
import pytest

from tests.following.systems.streams import FERRY
from tests.sweeps import every
from tidings.core.errors import FormatError, TidingsError, UsageError
from tidings.core.models.files import Model, prepare, read_model, shipped_models, write_model_bytes
from tidings.core.records import DataUsed, Document, ModelCard, Sentence
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.registry import available, make

SYSTEMS = [name for name in shipped_models() if name in available()]


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
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.card == msgspec.structs.replace(model().card, digest=digest)
    assert found.settings == model().settings
    assert write_model_bytes(found) == path.read_bytes()  # the digest of a file is not in it
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
    with pytest.raises(UsageError, match=r"a model of system 'fake' \(expected one of 'ius'"):
        read_model("ius", path)


@every("cut", [0, 4, 12, 200, -1])
def test_a_damaged_file_is_refused(tmp_path, cut) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(write_model_bytes(model())[:cut])
    with pytest.raises(FormatError, match="a model file of tidings"):
        read_model("fake", path)
    with pytest.raises(UsageError, match="the model cannot be read"):
        read_model("fake", tmp_path / "none.safetensors")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="this is no plain file"):
        read_model("fake", tmp_path / "pipe")


def test_numbers_that_are_none_are_refused(tmp_path) -> None:
    """NaN would make a system silent without a word; infinity may stand in trees."""
    path = tmp_path / "m.safetensors"
    path.write_bytes(write_model_bytes(model(arrays={"a": np.array([1.0, np.nan], dtype=np.float32)})))
    with pytest.raises(FormatError, match="no numbers"):
        read_model("fake", path)
    infinite = np.array([1.0, np.inf], dtype=np.float32)
    path.write_bytes(write_model_bytes(model(arrays={"a": infinite})))
    with pytest.raises(FormatError, match=r"array 'a' with values that are no numbers \(infinite\)"):
        read_model("fake", path)
    path.write_bytes(write_model_bytes(model(arrays={"a_thresholds": infinite})))
    assert np.isinf(read_model("fake", path).array("a_thresholds")[1])


DIVISORS = {"tidings": "deviation", "nnrl": "input_scale", "apsal": "process_scale"}


@every("system", DIVISORS)
def test_a_deviation_of_zero_is_refused(tmp_path, system) -> None:
    """It would make infinite or no numbers of every sentence, and a system that tells nothing without a word."""
    whole, name, path = read_model(system), DIVISORS[system], tmp_path / "m.safetensors"
    zeros = whole.arrays[name].copy()
    zeros[..., -1] = 0
    path.write_bytes(write_model_bytes(msgspec.structs.replace(whole, arrays=whole.arrays | {name: zeros})))
    with pytest.raises(FormatError, match=rf"m\.safetensors.*array '{name}' with zeros"):
        make(f"{system}:model={path}").start(FERRY)


@every("system", SYSTEMS)
def test_infinite_weights_are_refused(tmp_path, system) -> None:
    whole, path = read_model(system), tmp_path / "m.safetensors"
    for name, array in whole.arrays.items():
        if array.dtype.kind != "f" or name.endswith("thresholds"):
            continue
        infinite = array.copy()
        infinite.flat[0] = -np.inf
        changed = whole.arrays | {name: infinite}
        path.write_bytes(write_model_bytes(msgspec.structs.replace(whole, arrays=changed)))
        with pytest.raises(FormatError, match=rf"array '{name}' with values that are no numbers"):
            make(f"{system}:model={path}").start(FERRY)


def test_what_is_made_of_a_model_is_made_once_and_not_for_ever() -> None:
    made = []

    def build(model: Model) -> int:
        made.append(model)
        return len(made)

    one, other = model(), model()
    assert [prepare(one, build), prepare(one, build), prepare(other, build)] == [1, 1, 2]
    assert prepare(one, len_of_arrays) == 2
    many = [model() for _ in range(100)]
    for each in many:
        prepare(each, build)
    assert prepare(one, build) == 103


def len_of_arrays(model: Model) -> int:
    return len(model.arrays)


@every("error", [KeyError("terms"), ValueError("shape"), ZeroDivisionError(), IndexError()])
def test_what_cannot_be_made_of_a_model_is_said_in_one_line(error) -> None:
    def build(model: Model) -> None:
        raise error

    with pytest.raises(UsageError, match=r"weights that do not fit .* train it again"):
        prepare(model(), build)


@every("system", SYSTEMS)
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
        if name in ("words", "likeness"):
            continue  # their first size is free
        with pytest.raises(TidingsError, match=rf"{system}|do not fit"):
            list(follow_stream(stream, [FERRY], make(f"{system}:model={path}")))


@every("system", SYSTEMS)
def test_a_model_without_a_setting_or_with_another_is_refused(tmp_path, system) -> None:
    whole, path = read_model(system), tmp_path / "m.safetensors"
    free = {"encoder_loss", "training", "options", "level"}
    for name in whole.settings.keys() - free:
        for settings in (
            {key: value for key, value in whole.settings.items() if key != name},
            whole.settings | {name: []},
        ):
            path.write_bytes(
                write_model_bytes(Model(card=whole.card, arrays=whole.arrays, settings=settings))
            )
            with pytest.raises(TidingsError, match=r"do not fit|train it a|again|anew"):
                make(f"{system}:model={path}").start(FERRY)
