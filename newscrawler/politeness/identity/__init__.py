"""Identity of the crawler: keys, signatures of requests (RFC 9421, Web Bot Auth), and their publication for verification."""

from __future__ import annotations

from newscrawler.politeness.identity.keys import SigningKey, generate_key, load_keys, rotate_keys, save_key, signing_key
from newscrawler.politeness.identity.publication import (
    BOT_PAGE,
    MEDIA_TYPE,
    WELL_KNOWN,
    directory_url,
    problems_of_directory,
    write_publication,
)
from newscrawler.politeness.identity.signatures import Signer, directory_fields, sign, signature_base

__all__ = [
    "BOT_PAGE",
    "MEDIA_TYPE",
    "WELL_KNOWN",
    "Signer",
    "SigningKey",
    "directory_fields",
    "directory_url",
    "generate_key",
    "load_keys",
    "problems_of_directory",
    "rotate_keys",
    "save_key",
    "sign",
    "signature_base",
    "signing_key",
    "write_publication",
]
