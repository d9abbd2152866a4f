"""Images to classes: a Vision Transformer, and what its class token looks at."""
