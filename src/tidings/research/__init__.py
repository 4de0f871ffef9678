"""Published systems that learn, their trainers, experiments, and the reproduction of papers."""
