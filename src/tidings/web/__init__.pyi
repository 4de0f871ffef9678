# What other wings use of this one: file by file.

from .accounts import (
    SiteAccounts as SiteAccounts,
    change_membership as change_membership,
    hash_password as hash_password,
    same_name as same_name,
)
from .entrance import (
    Entrance as Entrance,
    project_of as project_of,
    token_digest as token_digest,
    topic_of as topic_of,
)
from .guards import neighbourhood as neighbourhood, public_address as public_address
from .pages import (
    SitePart as SitePart,
    compile_templates as compile_templates,
    json_block as json_block,
    page as page,
    root_of as root_of,
)
from .serving import (
    RequestLog as RequestLog,
    asked_to_end as asked_to_end,
    check_address as check_address,
    is_own as is_own,
    listening as listening,
    serve as serve,
)
from .site import make_site as make_site, routers_below as routers_below
from .verb_options import (
    VERB_OPTIONS as VERB_OPTIONS,
    demo_store as demo_store,
    first_account as first_account,
    first_link as first_link,
    has_passwords as has_passwords,
    need_names as need_names,
    needs_web as needs_web,
)
from .visitors import (
    LARGEST as LARGEST,
    SignedInVisitor as SignedInVisitor,
    SignInNeeded as SignInNeeded,
    SiteSettings as SiteSettings,
    Visitor as Visitor,
    settings_of as settings_of,
    signed_in as signed_in,
    visitor_or_none as visitor_or_none,
)
