"""The arguments of a constructor, for Keras' `get_config`."""


def constructor_arguments(variables: dict[str, object]) -> dict[str, object]:
    """Arguments by name, from the `locals()` at the beginning of a constructor.

    Keras collects plain values of a layer by itself, but neither a dtype policy nor anything of a
    subclass of `keras.Model`.
    """
    not_own = ("self", "kwargs", "__class__")
    return {name: value for name, value in variables.items() if name not in not_own}
