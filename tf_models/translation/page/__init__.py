"""One web page that holds a translator: model, tokenizers, search and views, with no network."""
