"""The bilingual grammar that wrote the embedded corpus: English, and correct German."""
