"""What is done with the models, a folder for each task."""
