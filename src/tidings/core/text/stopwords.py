"""Words that carry no topic: English function words and the bracket names of tokenised news."""

from __future__ import annotations

__all__ = ["ENGLISH"]

_WORDS = """
    a about above after again against all also although always am among an and another any anyone
    anything are arent around as at away back be became because been before being below between both but
    by came can cannot cant come could couldnt did didnt do does doesnt doing done dont down during each
    either else ever every everyone everything few for from further get gets getting go goes going gone
    got had hadnt has hasnt have havent having he hed hell her here hers herself hes him himself his how
    however i id if ill im in indeed into is isnt it itd itll its itself ive just let like ll made make
    many may maybe me might mine more most much must my myself near need neither never no none nor not
    nothing now nt of off often on once one only onto or other others our ours ourselves out over own
    per perhaps put quite rather re really s said same say says see seem seemed seems several shall she
    shes should shouldnt since so some someone something sometimes soon still such t take than that thats
    the their theirs them themselves then there theres these they theyd theyll theyre theyve this those
    though through thus to together told too took toward towards under until up upon us use used ve very
    was wasnt way we wed well went were werent weve what when where whether which while who whole whom
    whose why will with within without wont would wouldnt yet you youd youll your youre yours yourself
    youve
    lrb rrb lsb rsb lcb rcb
"""

ENGLISH: frozenset[str] = frozenset(_WORDS.split())
"""What `Analyzer` leaves out of its stems unless told otherwise (apostrophes already dropped)."""
