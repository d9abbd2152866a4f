"""Several devices and machines that train as one."""
