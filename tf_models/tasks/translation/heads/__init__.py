"""Which head does what: where each one looks, and what is lost without it."""
