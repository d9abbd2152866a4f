"""Interactive attention page: a translator in one file, used offline."""
