from .explanations import (
    Explanation as Explanation,
    NuggetOutcome as NuggetOutcome,
    Point as Point,
    UpdateOutcome as UpdateOutcome,
    explain as explain,
)
from .rules import (
    HEADLINE as HEADLINE,
    INFO as INFO,
    RULES as RULES,
    Rules as Rules,
    rules_named as rules_named,
)
from .scores import (
    Prepared as Prepared,
    coverage as coverage,
    default_measures as default_measures,
    latency_discount as latency_discount,
    prepare as prepare,
)
