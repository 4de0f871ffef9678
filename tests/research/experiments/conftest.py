"""The small year and the system to be learned of the trainers' tests."""

from tests.research.training.conftest import fake, write_plan, year

__all__ = ["fake", "write_plan", "year"]
