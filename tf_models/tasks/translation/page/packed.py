"""Bytes as text that a page can carry: deflated, in base64 (web/packed.js reads it)."""

import base64
import zlib

import numpy as np


def pack(data: bytes) -> str:
    """Deflated bytes in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def half_bytes(values: np.ndarray) -> bytes:
    """Numbers as float16, little-endian."""
    return np.ascontiguousarray(values, "<f2").tobytes()
