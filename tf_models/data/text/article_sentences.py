"""The sentences that the articles translate and look into."""

DIRECTOR = "He admired her as a great director."
HOPKINS = "Anthony Hopkins admired Michael Bay as a great director."

# The noun that "it" stands for.
IT_STANDS_FOR = {
    "The animal didn't cross the street because it was too tired.": "animal",
    "The animal didn't cross the street because it was too wide.": "street",
}

ARTICLE_SENTENCES = (DIRECTOR, HOPKINS, *IT_STANDS_FOR)
