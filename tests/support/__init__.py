"""What several tests share: tiny corpora, models and runs, calls of scripts."""
