"""The command lines: a module for each command, with its parser and one call of a task."""
