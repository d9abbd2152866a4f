"""Which head does what: what each one attends to, and what is lost without it."""
