"""The words that ROUGE 1.5.5 leaves out with `-s`: those of SMART (Salton, 1971), and names of months and days.

Only those that can be met: ROUGE cuts at apostrophes and full stops, so that its entries with one never match.
"""

from __future__ import annotations

__all__ = ["STOP"]

_WORDS = """
    a able about above according accordingly across actually after afterwards again against all allow allows
    almost alone along already also although always am amid among amongst an and another any anybody anyhow
    anyone anything anyway anyways anywhere ap apart appear appreciate appropriate apr are around as aside ask
    asking associated at aug available away awfully b be became because become becomes becoming been before
    beforehand behind being believe below beside besides best better between beyond both brief but by c came can
    cannot cant cause causes certain certainly changes clearly co com come comes concerning consequently
    consider considering contain containing contains corresponding could course currently d dec definitely
    described despite did different do does doing done down downwards during e each edu eg eight either else
    elsewhere enough entirely especially et etc even ever every everybody everyone everything everywhere ex
    exactly example except f far feb few fifth five followed following follows for former formerly forth four
    fri from further furthermore g get gets getting given gives go goes going gone got gotten greetings h had
    happens hardly has have having he hello help hence her here hereafter hereby herein hereupon hers herself hi
    him himself his hither hopefully how howbeit however i ie if ignored immediate in inasmuch inc indeed index
    indicate indicated indicates inner insofar instead into inward is it its itself j jan jul jun just k keep
    keeps kept know known knows l lately later latter latterly least less lest let like liked likely little look
    looking looks ltd m mainly many mar may maybe me mean meanwhile merely might mon more moreover most mostly
    much must my myself n namely nd near nearly necessary need needs neither never nevertheless new news next
    nine no nobody non none noone nor normally not nothing nov novel now nowhere o obviously oct of off often oh
    ok okay old on once one ones only onto or other others otherwise ought our ours ourselves out outside over
    overall own p particular particularly per perhaps placed please plus possible presumably probably provides q
    que quite qv r rather rd re really reasonably regarding regardless regards relatively respectively reuters
    right s said same sat saw say saying says second secondly see seeing seem seemed seeming seems seen self
    selves sensible sent sep serious seriously seven several shall she should since six so some somebody somehow
    someone something sometime sometimes somewhat somewhere soon sorry specified specify specifying still sub
    such sup sure t take taken tech tell tends th than thank thanks thanx that thats the their theirs them
    themselves then thence there thereafter thereby therefore therein theres thereupon these they think third
    this thorough thoroughly those though three through throughout thru thu thus to together too took toward
    towards tried tries truly try trying tue twice two u un under unfortunately unless unlikely until unto up
    upon us use used useful uses using usually uucp v value various very via viz vs w want wants was way we wed
    welcome well went were what whatever when whence whenever where whereafter whereas whereby wherein whereupon
    wherever whether which while whither who whoever whole whom whose why will willing wish with within without
    wonder would x y yes yet you your yours yourself yourselves z zero
"""

STOP: frozenset[str] = frozenset(_WORDS.split())
"""Left out before stemming. The names of months and days are the shortened ones that date lines of news have."""
