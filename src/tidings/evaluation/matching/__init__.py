"""Whether an update says a nugget, judged by a program: likenesses, a learned matcher, and how good they are."""
