"""What a content security policy says of scripts."""

from __future__ import annotations

import base64
import hashlib


def script_digest(script: str) -> str:
    """A script as a policy names it: by its text, so that no other runs.

    >>> script_digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
