"""What is wrong with an argument, as an error that is tidings' own and Python's too."""

from __future__ import annotations

from typing import Any

from tidings.core import UsageError

__all__ = ["ArgumentTypeError", "ArgumentValueError", "kind_of", "shorten"]

_LONGEST = 80


class ArgumentTypeError(UsageError, TypeError):
    """An argument, or something in it, is of a kind that is not taken.

    >>> issubclass(ArgumentTypeError, TypeError)
    True
    """


class ArgumentValueError(UsageError, ValueError):
    """An argument is of the right kind, but makes no sense.

    >>> issubclass(ArgumentValueError, ValueError)
    True
    """


def kind_of(value: object) -> str:
    """A value's kind with its article, for a message.

    >>> kind_of("x"), kind_of(None), kind_of(1), kind_of(3.5)
    ('a str', 'None', 'an int', 'a float')
    """
    if value is None:
        return "None"
    kind = type(value)
    module = kind.__module__.partition(".")[0]
    name = kind.__name__ if module in ("builtins", "tidings") else f"{module}.{kind.__qualname__}"
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def shorten(value: Any) -> str:
    """A value as it prints, cut where it is long: for a message.

    >>> shorten("a" * 200)[-4:]
    "aa'…"
    >>> shorten(10**6000)
    'a number of thousands of digits'
    """
    try:
        text = repr(value)
    except ValueError:  # of an integer of thousands of digits there is none
        text = "a number of thousands of digits"
    return (
        text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}{text[-1] if text[-1] in chr(39) else ''}…"
    )
