"""Published systems, one file each, all behind the one protocol; budgets and the registry."""

from tidings.following.systems.registry import (
    OptionInfo,
    SystemInfo,
    available,
    available_entities,
    available_values,
    describe,
    make,
    register_system,
    spec_of,
    with_option,
)

__all__ = [
    "OptionInfo",
    "SystemInfo",
    "available",
    "available_entities",
    "available_values",
    "describe",
    "make",
    "register_system",
    "spec_of",
    "with_option",
]
