"""Short stories with questions: generated ones, and files in the format of bAbI."""
