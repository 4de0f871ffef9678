"""Following on Spark from a program that has a session: extra `spark`.

import tidings.spark

outputs = tidings.spark.follow(documents, events, system="tidings")
"""

from tidings.following import EventVersions, follow_frame as follow

__all__ = ["EventVersions", "follow"]
