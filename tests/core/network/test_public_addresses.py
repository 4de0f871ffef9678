"""Which addresses are of the public internet, whatever the `ipaddress` of this Python knows."""

from __future__ import annotations

from tests.sweeps import cases, every
from tidings.core.network.addresses import is_link_local, is_public


@every(
    "address",
    cases(__file__, "what is not of the public internet"),
)
def test_what_is_not_of_the_public_internet(address: str) -> None:
    assert not is_public(address)


@every(
    "address",
    cases(__file__, "what is of the public internet"),
)
def test_what_is_of_the_public_internet(address: str) -> None:
    assert is_public(address) and not is_link_local(address)
