"""Which seeds there are."""

from tf_models.errors import InputError

GREATEST_SEED = 2**32 - 1  # NumPy's global generator takes no greater one


def check_seed(seed: int) -> int:
    """The seed, if it can be one.

    Raises:
        InputError: it is not 0 to `GREATEST_SEED`.
    """
    if not 0 <= seed <= GREATEST_SEED:
        raise InputError(f"the seed must be 0 to {GREATEST_SEED}; received {seed}")
    return seed
