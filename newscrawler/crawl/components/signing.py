"""Sign each request (Web Bot Auth), so that operators can recognise the crawler: a downloader middleware behind the slot."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from newscrawler.errors import ConfigError
from newscrawler.politeness import identity  # its names load the keys' cryptography: only where requests are signed

logger = logging.getLogger(__name__)


class SigningMiddleware:
    """Sign requests just before they are sent, as a signature is valid for five minutes."""

    def __init__(self, keys: Sequence[identity.SigningKey], directory: str) -> None:
        self._keys = keys
        self._directory = directory
        self._signer: identity.Signer | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take IDENTITY_URL and IDENTITY_FOLDER from the settings.

        Raises:
            NotConfigured: requests are not to be signed.
            ConfigError: a key is missing.
        """
        url, folder = crawler.settings["IDENTITY_URL"], crawler.settings["IDENTITY_FOLDER"]
        if not url or not folder:
            raise NotConfigured
        keys = identity.load_keys(Path(folder))
        if identity.choose_signing_key(keys, datetime.now(UTC)) is None:
            raise ConfigError(
                f"there is no key in {folder} that is in use now; run `newscrawler identity init` or `identity rotate`"
            )
        return cls(keys, identity.get_directory_url(url))

    def process_request(self, request: Request) -> None:
        """Sign a request with the key in use."""
        now = datetime.now(UTC)
        signer = self._signer
        if signer is None or not signer.key.not_before <= now < signer.key.expires_at or signer.key is not self._find_newest(now):
            key = self._find_newest(now)
            if key is None:
                logger.warning("requests are not signed: no key is in use any more; run `newscrawler identity rotate`")
                return
            signer = self._signer = identity.Signer(key, self._directory)
        try:
            fields = signer.sign_request(request.method, request.url, now)
        except ValueError:  # not one of the frontier, whose URLs are canonical
            logger.debug("not signed, as its URL is none by RFC 3986: %s", request.url)
            return
        for name, value in fields.items():
            request.headers[name] = value

    def _find_newest(self, now: datetime) -> identity.SigningKey | None:
        return identity.choose_signing_key(self._keys, now)
