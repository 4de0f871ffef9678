"""Naming systems and their options."""

from __future__ import annotations

import importlib.metadata
import re
from typing import ClassVar

import pytest
from hypothesis import assume, given, strategies as st
from msgspec import Struct

from tests.following.systems.streams import FERRY, STORM
from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.protocols import Follower, System
from tidings.following.systems import registry, stages
from tidings.following.systems.base import SystemBase
from tidings.following.systems.decider import Decider
from tidings.following.systems.registry import available, describe, make, register_system, spec_of


class TestAvailable:
    def test_own_systems_come_first(self):
        assert list(available())[:5] == ["first", "random", "cosine", "sumbasic", "allan2001"]

    @every("name", list(available()))
    def test_everything_is_described(self, name):
        info = describe(name)
        assert info.description.endswith(".")
        assert info.source
        assert all(option.help for option in info.options)
        assert [option.name for option in info.options if option.common] == [
            "news",
            "news_model",
            "segmenter",
            "encoder",
            "nearness",
            "across",
            "values",
            "places",
            "entities",
            "profile",
            "profile_likeness",
            "about",
            "updates_per_hour",
            "words_per_hour",
        ]

    @every("name", list(available()))
    def test_keeps_the_protocols(self, name):
        system = make(name)
        assert isinstance(system, System)
        assert isinstance(system.start(FERRY), Follower)
        assert system.name == name


class TestMake:
    def test_reads_each_kind_of_value(self):
        system = make("allan2001:clusters=3, level=.5,calibrate=no,novel=average,novel-weight=2")
        assert (system.clusters, system.level, system.calibrate, system.novel) == (3, 0.5, False, "average")
        assert system.novel_weight == 2.0

    def test_budgets_wrap_any_system(self):
        assert isinstance(make("first:updates_per_hour=2"), Decider)
        assert not isinstance(make("first:updates_per_hour=0"), Decider)

    @every(
        "spec, message",
        cases(__file__, "says what is wrong"),
    )
    def test_says_what_is_wrong(self, spec, message):
        with pytest.raises(UsageError, match=message):
            make(spec)


# What may be said to options that take a text of one kind only; all others take any.
TEXTS = cases(__file__, "texts", lists=True)


class TestSpecOf:
    @every("name", list(available()))
    def test_defaults_are_left_out(self, name):
        defaults = ",".join(f"{o.name}={stages._text(o.default)}" for o in describe(name).options)
        assert spec_of(make(f"{name}:{defaults}")) == name

    @given(st.data())
    def test_round_trip(self, data):
        """make(spec_of(s)) == s for any system and any options."""
        name = data.draw(st.sampled_from(list(available())))
        values = {
            "int": st.integers(1, 9),
            "float": st.sampled_from([0.05, 0.25, 0.5]),
            "bool": st.sampled_from(["yes", "no"]),
        }
        said = []
        for option in data.draw(
            st.lists(st.sampled_from(describe(name).options), unique_by=lambda o: o.name)
        ):
            texts = TEXTS.get(option.name, ["english"])
            choices = (
                st.sampled_from(texts) if option.kind == "text" else st.sampled_from(option.kind.split("|"))
            )
            said.append(f"{option.name}={data.draw(values.get(option.kind, choices))}")
        if "judge" in {one.partition("=")[0] for one in said}:  # it is asked by the name of a model there
            said = [*(one for one in said if not one.startswith("model=")), "model=any-7b"]
        try:
            system = make(f"{name}:{','.join(said)}")
        except UsageError as error:  # a bound that this option alone has
            assume(not re.search(r"expected a (whole )?number [<>]", str(error)))
            raise
        assert make(spec_of(system)) == system
        assert spec_of(make(spec_of(system))) == spec_of(system)


class Nothing(SystemBase, frozen=True, kw_only=True):
    """Tells nothing at all."""

    name: ClassVar[str] = "nothing"
    source: ClassVar[str] = "this test"
    patience: int = 3

    def start(self, event):
        return event


class TestPlugIns:
    @pytest.fixture(autouse=True)
    def _entry_points(self, monkeypatch):
        def plug(name, value):
            point = importlib.metadata.EntryPoint(name, value, registry.GROUP)
            monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point])
            registry._available.cache_clear()

        self.plug = plug
        yield
        monkeypatch.undo()
        registry._available.cache_clear()

    def test_a_package_can_add_one(self):
        self.plug("nothing", f"{__name__}:Nothing")
        assert make("nothing:patience=5,updates_per_hour=1").start(STORM)
        assert spec_of(make("nothing:patience=5")) == "nothing:patience=5"
        assert describe("nothing").description == "Tells nothing at all."

    def test_it_cannot_take_the_name_of_another(self):
        self.plug("cosine", f"{__name__}:Nothing")
        assert make("cosine").name == "cosine"

    def test_what_is_no_system_is_refused(self):
        self.plug("wrong", "json:dumps")
        with pytest.raises(UsageError, match=r"tidings\.systems"):
            make("wrong")
        assert make("cosine").name == "cosine"

    def test_one_without_the_members_of_a_system_is_refused(self):
        self.plug("bare", f"{__name__}:Bare")
        with pytest.raises(UsageError, match=r"without spec, card, interest.*SystemBase"):
            make("bare")


class Bare(Struct, frozen=True):
    """Has nothing but a start."""

    def start(self, event):
        return event


class TestRegistered:
    @pytest.fixture(autouse=True)
    def _forgotten_afterwards(self):
        yield
        registry._registered.clear()
        registry._available.cache_clear()

    def test_it_is_known_wherever_a_system_is_asked_for(self):
        assert register_system("nothing")(Nothing) is Nothing
        assert make("nothing:patience=5").patience == 5
        assert list(available())[-1] == "nothing"
        assert describe("nothing").options[0].name == "patience"

    def test_the_class_gets_the_name_unless_it_has_one(self):
        class Quiet(SystemBase, frozen=True):
            """Says nothing."""

            def start(self, event):
                return event

        register_system("quiet")(Quiet)
        assert make("quiet").name == "quiet"
        with pytest.raises(UsageError, match="name = 'nothing' in Nothing"):
            register_system("other")(Nothing)
        assert "other" not in available()

    def test_a_cell_run_twice_takes_the_place_of_the_first(self):
        def cell(default):
            class Cell(SystemBase, frozen=True):
                """A cell of a notebook."""

                patience: int = default

                def start(self, event):
                    return event

            return Cell

        register_system("cell")(cell(1))
        register_system("cell")(cell(2))
        assert make("cell").patience == 2

    @every(
        "name, kind, message",
        [
            ("cosine", Nothing, "tidings has a system 'cosine' already"),
            ("No Name", Nothing, "expected small letters"),
            ("", Nothing, "expected small letters"),
            (3, Nothing, "expected small letters"),
            ("bare", Bare, "inherit from tidings"),
            ("dumps", print, "expected a msgspec.Struct class"),
        ],
    )
    def test_what_cannot_be_registered_is_refused(self, name, kind, message):
        before = list(available())
        with pytest.raises(UsageError, match=message):
            register_system(name)(kind)
        assert list(available()) == before

    def test_another_class_cannot_take_a_name(self):
        register_system("nothing")(Nothing)

        class Other(SystemBase, frozen=True):
            """Another one."""

            def start(self, event):
                return event

        with pytest.raises(UsageError, match="Nothing is registered as 'nothing' already"):
            register_system("nothing")(Other)
        assert make("nothing:patience=4").patience == 4

    def test_a_package_has_its_name_for_itself(self, monkeypatch):
        point = importlib.metadata.EntryPoint("nothing", f"{__name__}:Nothing", registry.GROUP)
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point])
        registry._available.cache_clear()
        with pytest.raises(UsageError, match="an installed package has a system 'nothing' already"):
            register_system("nothing")(Nothing)
