# What other wings use of this one: file by file.

from .store import Desk as Desk
from .store.projects import project_of as project_of, topic_of as topic_of
from .verbs.assess_demo import open_page as open_page
