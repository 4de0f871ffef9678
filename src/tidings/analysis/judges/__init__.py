"""Judges from outside: language models that are asked, over an OpenAI-compatible address, what tidings cannot tell."""
