"""A page about a derailment as it grew in its first hour, in words of our own."""

from __future__ import annotations

from tidings.core.records.documents import Revision

_START = 1374692400
_FIRST = (
    "A passenger train has left the rails near Santiago de Compostela. Emergency services are on their way."
)
_SECOND = (
    "A passenger train has left the rails at Angrois, near Santiago de Compostela. Several coaches lie on their side.\n"
    "Residents heard a bang and ran to help."
)
_THIRD = (
    "A passenger train has left the rails at Angrois, near Santiago de Compostela. Several coaches lie on their side.\n"
    "Residents heard a bang and ran to help. At least ten people have died, the regional government said.\n"
    "The train was on its way from Madrid to Ferrol."
)
_FOURTH = _THIRD.replace("At least ten people", "At least 35 people") + " It carried 218 passengers."

HISTORY = [
    Revision(time=_START, text=_FIRST, id="r1", title="Derailment at Angrois", author="Ana", comment="begun"),
    Revision(time=_START + 900, text=_SECOND, id="r2", title="Derailment at Angrois", author="Brais"),
    Revision(time=_START + 1200, text=_SECOND, id="r2b", title="Derailment at Angrois"),
    Revision(time=_START + 2000, text=_THIRD, id="r3", title="Derailment at Angrois", comment="first deaths"),
    Revision(time=_START + 3000, text=_FOURTH, id="r4", title="Derailment at Angrois"),
]
