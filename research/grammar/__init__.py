"""The grammar that writes the embedded corpus."""
