"""Text and images, their sources, and batches of them."""
