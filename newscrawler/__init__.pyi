from .article import Article as Article
from .article import Paragraph as Paragraph
from .article import ParagraphKind as ParagraphKind
from .corpus import open as open  # noqa: A004
from .errors import ConfigError as ConfigError
from .errors import PageError as PageError
from .errors import PageReason as PageReason
from .extraction import extract as extract
from .extraction.batch import PageResult as PageResult
from .extraction.batch import extract_many as extract_many

__version__: str
