"""What a judge is worth: its answers against labelled questions, beside models that come along."""
