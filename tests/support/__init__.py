"""What several tests share: tiny corpora and models, a failing disk, calls of scripts."""
