"""A deep hierarchical VAE after NVAE (Vahdat & Kautz 2020)."""
