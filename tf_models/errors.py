"""The one error that a user can mend; scripts print its single line and exit with status 2."""


class InputError(ValueError):
    """Something that was given (a file, an option, a sentence) cannot be used.

    The message is one line: what is wrong, what was received, what to do.
    """


def error_message(error: Exception) -> str:
    """What is wrong with what was read; a KeyError by itself says only a name."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
