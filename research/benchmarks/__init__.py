"""This project beside other systems: training and decoding speed, measured in turn."""
