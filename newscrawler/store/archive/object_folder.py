"""Kept pages in an object store: an object for each page, which is there whole or not at all.

Objects cannot be appended to, and several workers write at once; so each page is its own small WARC file, named by chance.
What a worker has written before it is killed is complete, and two workers never write the same object.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from newscrawler.errors import ConfigError, install_command
from newscrawler.limits import OBJECT_STORE_CONNECT_SECONDS, OBJECT_STORE_READ_SECONDS, OBJECT_STORE_TRIES

SCHEME = "s3://"
_CREDENTIALS = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL unless it is Amazon's"
#: Codes of answers by which a store refuses these credentials.
_REFUSED = ("InvalidAccessKeyId", "SignatureDoesNotMatch", "AccessDenied", "Forbidden", "ExpiredToken", "InvalidToken")


@dataclass(frozen=True, slots=True)
class ObjectFolder:
    """A folder of an S3-compatible store; files within it are named as within a local one.

    Credentials come from where Amazon's tools look for them: the environment, ~/.aws, the role of the machine.
    """

    #: s3://BUCKET or s3://BUCKET/PREFIX.
    url: str

    def __str__(self) -> str:
        return self.url

    def __truediv__(self, path: str) -> str:
        return f"{self.url.rstrip('/')}/{path}"

    def check(self) -> None:
        """Try whether the store can be used.

        Raises:
            ConfigError: s3fs is missing, there is no such bucket, or the store refuses the credentials.
            OSError: it does not answer.
        """
        try:
            with self._translate_errors():
                prefix = (self / "").removeprefix(f"{SCHEME}{self._bucket}/")
                self._connect().call_s3("list_objects_v2", Bucket=self._bucket, Prefix=prefix, MaxKeys=1)
        except FileNotFoundError as error:
            raise ConfigError(f"pages_folder is {self.url}, and there is no bucket {self._bucket}; create it first") from error
        except PermissionError as error:
            raise ConfigError(
                f"pages_folder is {self.url}, and the store refuses access: {error.strerror}; {_CREDENTIALS}"
            ) from error

    def read(self, path: str, offset: int, length: int | None) -> bytes:
        """Return a part of a file; without a length, the rest.

        Raises:
            FileNotFoundError: it is not there.
            OSError: it cannot be read.
        """
        with self._translate_errors():
            return bytes(self._connect().cat_file(self / path, start=offset, end=None if length is None else offset + length))

    def write(self, path: str, data: bytes) -> None:
        """Write a file whole.

        Raises:
            OSError: it cannot be written; nothing of it is there.
        """
        with self._translate_errors():
            self._connect().pipe_file(self / path, data)

    def remove(self, paths: Sequence[str]) -> None:
        """Remove files; those that are gone already do not matter.

        Raises:
            OSError: they cannot be removed.
        """
        with self._translate_errors():
            for path in paths:  # s3fs hides the errors of requests that remove many at once
                self._connect().rm_file(self / path)

    def files(self, folder: str) -> Iterator[tuple[str, datetime]]:
        """Yield the files of a folder of this one, and when each was written.

        Raises:
            OSError: they cannot be listed.
        """
        with self._translate_errors():
            found = self._connect().find(self / folder, detail=True, refresh=True)
        begin = len((self / "").removeprefix(SCHEME))
        for name, facts in found.items():
            yield str(name)[begin:], facts["LastModified"]

    @property
    def _bucket(self) -> str:
        return self.url.removeprefix(SCHEME).partition("/")[0]

    def _connect(self) -> Any:
        try:
            import s3fs
        except ImportError as error:
            raise ConfigError(f"pages_folder is {self.url}, which needs s3fs: {install_command('s3')}") from error
        tries = {"max_attempts": OBJECT_STORE_TRIES, "mode": "standard"}
        settings = {"connect_timeout": OBJECT_STORE_CONNECT_SECONDS, "read_timeout": OBJECT_STORE_READ_SECONDS, "retries": tries}
        # fsspec keeps one of them for each process and thread, with its connections
        made = s3fs.S3FileSystem(config_kwargs=settings, use_listings_cache=False, default_cache_type="none")
        made.retries = 1  # its own tries, one in another, would multiply those of its client: 75 requests to a store that hangs
        return made

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise OSError for what the libraries of the store raise."""
        self._connect()  # says what to install
        from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, PartialCredentialsError

        try:
            yield
        except FileNotFoundError:
            raise
        except (NoCredentialsError, PartialCredentialsError) as error:
            raise PermissionError(errno.EACCES, "there are no credentials", self.url) from error
        except (BotoCoreError, ClientError, OSError) as error:
            said = " ".join(str(error).split())
            kind = PermissionError if isinstance(error, PermissionError) or any(code in said for code in _REFUSED) else OSError
            raise kind(error.errno if isinstance(error, OSError) and error.errno else errno.EIO, said, self.url) from error


PagesFolder = Path | ObjectFolder


def pages_folder(place: str | Path) -> PagesFolder:
    """Return the folder that a configuration names: a path, or s3://BUCKET/PREFIX."""
    return ObjectFolder(place.rstrip("/")) if isinstance(place, str) and place.startswith(SCHEME) else Path(place)
