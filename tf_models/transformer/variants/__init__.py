"""What came after Vaswani et al. (2017): variants of the Transformer, each beside its paper.

A variant is a short subclass of the original's classes, takes the same arguments, and goes through
the same training, search and figures. notebooks/12_what_came_after.py compares them.
The Vision Transformer is made of their layers, and reads images.
"""

_HERE = "tf_models.transformer.variants"

ORIGINAL = "tf_models.transformer.model:Transformer"
NETWORKS = {
    "relative": f"{_HERE}.relative:RelativeTransformer",
    "rotary": f"{_HERE}.rotary:RotaryTransformer",
    "learned-positions": f"{_HERE}.positions:LearnedPositionsTransformer",
    "multi-query": f"{_HERE}.grouped_query:MultiQueryTransformer",
    "grouped-query": f"{_HERE}.grouped_query:GroupedQueryTransformer",
    "pre-norm": f"{_HERE}.pre_norm:PreNormTransformer",
    "gelu": f"{_HERE}.gelu:GeluTransformer",
}
"""Where the class of each variant stands, module:Class, by its short name."""
