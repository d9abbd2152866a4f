"""Short stories with questions: embedded ones, and files in the format of bAbI."""
