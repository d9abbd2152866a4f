"""The sentences that the articles translate and look into."""

DIRECTOR = "He admired her as a great director."
HOPKINS = "Anthony Hopkins admired Michael Bay as a great director."
HOPKINS_IN_GERMAN = "Anthony Hopkins hat Michael Bay als einen großartigen Regisseur bewundert."

# What "Michael" gives to each of the nine words of HOPKINS. The article says that they sum to 1;
# rounded as they are, they sum to 0.99.
MICHAEL_WEIGHTS = (0.06, 0.09, 0.05, 0.25, 0.18, 0.06, 0.09, 0.06, 0.15)

# The noun that "it" stands for.
IT_STANDS_FOR = {
    "The animal didn't cross the street because it was too tired.": "animal",
    "The animal didn't cross the street because it was too wide.": "street",
}

ARTICLE_SENTENCES = (DIRECTOR, HOPKINS, *IT_STANDS_FOR)
