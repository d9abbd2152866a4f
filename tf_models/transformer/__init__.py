"""The Transformer of Vaswani et al. (2017), class by class as the TensorFlow tutorial builds it.

Every class and function keeps the tutorial's name and signature; docs/deviations.md says each
place that differs, and why. What came after are further arguments of the same classes (`variants`).
"""

import tf_models.backend  # noqa: F401
