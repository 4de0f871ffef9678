"""Published systems, one file each, all behind the one protocol; budgets and the registry."""

from tidings.following.systems.registry import make as make
