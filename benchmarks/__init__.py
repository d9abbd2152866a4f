"""This project side by side with its rivals: training and decoding speed, measured in turn."""
