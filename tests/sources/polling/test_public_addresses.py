"""Which addresses are of the public internet, whatever the `ipaddress` of this Python knows."""

from __future__ import annotations

import pytest

from tidings.sources.polling.addresses import is_link_local, is_public


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.255.255.255",
        "10.1.2.3",
        "100.127.255.255",
        "127.0.0.1",
        "168.63.129.16",
        "169.254.169.254",
        "172.31.0.1",
        "192.0.0.9",
        "192.0.0.10",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.19.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::192.0.0.9",
        "::ffff:192.88.99.1",
        "::ffff:0:10.0.0.1",
        "64:ff9b::a83f:8110",
        "100::1",
        "2001::1",
        "2001:1::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:a83f:8110::1",
        "3fff::1",
        "3fff:fff:ffff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1%eth0",
        "fec0::1",
        "feff::1",
        "ff02::1",
    ],
)
def test_what_is_not_of_the_public_internet(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "100.63.255.255",
        "100.128.0.1",
        "168.63.129.17",
        "172.32.0.1",
        "192.0.1.1",
        "192.88.98.1",
        "192.88.100.1",
        "198.20.0.1",
        "223.255.255.255",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2a00:1450::1",
        "3ffe::1",
        "3fff:1000::1",
        "64:ff9b::808:808",
        "::ffff:8.8.8.8",
    ],
)
def test_what_is_of_the_public_internet(address: str) -> None:
    assert is_public(address) and not is_link_local(address)
