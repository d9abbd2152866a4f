"""Images: loading, data sets, corruption, batches."""
