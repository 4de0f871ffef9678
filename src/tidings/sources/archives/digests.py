"""Digests that a web archive states of its blocks."""

from __future__ import annotations

import base64
import binascii
import hashlib

__all__ = ["is_right"]

_KNOWN = ("md5", "sha1", "sha256", "sha512")


def is_right(stated: str, block: bytes) -> bool:
    """Whether bytes have the digest that is stated of them, in base 32 or 16; true where none is, or an unknown one.

    >>> is_right("sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", b""), is_right("", b"x"), is_right("md5:00", b"x")
    (True, True, False)
    """
    name, _, text = stated.strip().partition(":")
    name = name.lower().replace("-", "")
    if name not in _KNOWN or not text:
        return True
    digest = hashlib.new(name, block, usedforsecurity=False).digest()
    if text.lower() == digest.hex():
        return True
    try:
        return base64.b32decode(text.upper()) == digest
    except (binascii.Error, ValueError):
        return False
