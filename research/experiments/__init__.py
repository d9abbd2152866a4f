"""Settings x seeds -> table and figure: what is compared is a recipe, what runs it is the same."""
