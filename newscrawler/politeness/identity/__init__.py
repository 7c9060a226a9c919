"""Identity of the crawler: keys, signatures of requests (RFC 9421, Web Bot Auth), and their publication for verification."""

from __future__ import annotations

from newscrawler.politeness.identity.keys import SigningKey, choose_signing_key, generate_key, load_keys, rotate_keys, save_key
from newscrawler.politeness.identity.publication import (
    BOT_PAGE,
    MEDIA_TYPE,
    MOST_DIRECTORY_BYTES,
    check_directory,
    get_directory_url,
    make_bot_page,
    write_publication,
)
from newscrawler.politeness.identity.signatures import Signer, sign_directory

__all__ = [
    "BOT_PAGE",
    "MEDIA_TYPE",
    "MOST_DIRECTORY_BYTES",
    "Signer",
    "SigningKey",
    "check_directory",
    "choose_signing_key",
    "generate_key",
    "get_directory_url",
    "load_keys",
    "make_bot_page",
    "rotate_keys",
    "save_key",
    "sign_directory",
    "write_publication",
]
