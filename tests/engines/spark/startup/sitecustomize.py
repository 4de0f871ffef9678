"""Lets Python workers of tests take pyspark from where it is installed.

Spark puts a zip of it before that, from which each worker compiles all modules anew: a second of work, of the ten
seconds that Spark waits for a worker.
"""

import sys

sys.path[:] = [place for place in sys.path if not place.endswith("pyspark.zip")]
