"""The small world that wrote the embedded stories, and questions about them."""
