"""Runs the command line with a client that waits for fractions of a second, and takes 127.0.0.1 for a public address.

So a test need not wait for a server that hangs, and a redirect to another private address can be tried.
"""

from __future__ import annotations

import sys

from tidings.core.network import addresses, client

_is_public = addresses.is_public
addresses.is_public = lambda address: address == "127.0.0.1" or _is_public(address)
_Limits = client.ClientLimits
client.ClientLimits = lambda: _Limits(connect_s=0.5, read_s=0.3, total_s=0.6)

from tidings.cli import main  # noqa: E402

main(sys.argv[1:])
