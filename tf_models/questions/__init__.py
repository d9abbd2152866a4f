"""Questions about stories: training a model that answers them, asking it, measuring it."""
