"""Where text and images come from, and how they become batches."""
