"""Following on Spark from a program that has a session: extra `spark`.

import tidings.spark

outputs = tidings.spark.follow(documents, events, system="tidings")
"""

from tidings.following.engines.spark.frames import follow_frame
from tidings.following.engines.versions import EventVersions

__all__ = ["EventVersions", "follow_frame"]
