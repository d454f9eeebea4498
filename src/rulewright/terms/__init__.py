"""Texts: their normal form and digest."""

from .digest import NORMALISATION, digest, normalise

__all__ = ["NORMALISATION", "digest", "normalise"]
