"""The models of requests and answers."""

from __future__ import annotations

from datetime import datetime
from types import GenericAlias
from typing import Annotated, Any, Literal, get_type_hints

from fastapi import Query
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    WithJsonSchema,
    create_model,
)

from newscrawler.limits import LIST_ITEMS, SEARCH_OFFSET
from newscrawler.store.articles import Fault, Selection
from newscrawler.store.service import JobKind
from newscrawler.web.requests.selection import FORMS, read_selection

MOST = LIST_ITEMS
USUAL = 100
#: A search shows this many hits, and the page that begins there.
MOST_OFFSET = SEARCH_OFFSET
#: Databases store no null character, and whole numbers below 2⁶³.
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
Whole = Annotated[int, Field(ge=0, lt=10**15)]
_WHOLE_OR_EMPTY = WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0, "exclusiveMaximum": 10**15}, {"const": ""}]})
PortalName = Annotated[Text, Query(description="the name of a portal; empty: all")]
Limit = Annotated[
    Whole, Query(description=f"how many, at most {MOST}"), BeforeValidator(lambda said: said or USUAL),
    AfterValidator(lambda limit: max(1, min(MOST, limit))), _WHOLE_OR_EMPTY,
]  # fmt: skip
Cursor = Annotated[
    Whole, Query(description="`next` of the previous page"), BeforeValidator(lambda said: said or 0), _WHOLE_OR_EMPTY
]
Day = Annotated[Text, WithJsonSchema({"anyOf": [{"type": "string", "format": "date"}, {"const": ""}]})]


class Filters(BaseModel):
    """A selection of articles; an empty value does not narrow it."""

    portal: Text = Field(default="", description="the name of a portal")
    section: Text = Field(default="", description="a section, as articles name it")
    author: Text = Field(default="", description="an author, as articles name them")
    language: Text = Field(default="", description="a language code such as cs")
    genre: Text = Field(default="", description="news, opinion, interview, live, gallery or sponsored")
    collection: Text = Field(default="", description="a collection in which articles are filed")
    keyword: Text = Field(default="", description="a keyword that articles declare or are filed under, in any case")
    entity: Text = Field(default="", description="a person, organisation or place that a recogniser found in articles, in any case")
    topic: Text = Field(default="", description="a topic that a recogniser gave articles, in any case")
    words: Text = Field(default="", description="a query of words that articles contain, as `newscrawler search` takes it")
    until_id: Annotated[Text, StringConstraints(pattern=r"^[0-9]{0,15}$")] = Field(
        default="", description="the number of the last article; those stored later are left out"
    )
    since: Day = Field(default="", description="the first day of publication")
    until: Day = Field(default="", description="the last day of publication")

    def select(self) -> Selection:
        """Return the selection.

        Raises:
            RequestProblem: a date is invalid.
        """
        return read_selection(self.model_dump())


class SearchFilters(Filters):
    """Filters, and words to find."""

    q: Text = Field(default="", description="words, as `newscrawler search` takes them")

    def select(self) -> Selection:
        """Return the selection that the words narrow.

        Raises:
            RequestProblem: a date or a query is invalid.
        """
        return read_selection(self.model_dump(), self.q)


class SentGold(BaseModel):
    """The correct values of an article."""

    model_config = ConfigDict(extra="forbid")

    title: Text | None = None
    lead: Text | None = None
    body: Text
    date: Text | None = None
    authors: list[Text] = []


class SentVerdict(BaseModel):
    """A verdict on an article."""

    faults: list[Fault] = Field(default=[], description="kinds of errors; empty: the article is right")
    note: Text = ""
    gold: SentGold | None = None


class SentJob(BaseModel):
    """A job for the service that needs only a target."""

    kind: Literal[JobKind.CRAWL, JobKind.STOP, JobKind.EXPORT, JobKind.REEXTRACT]
    target: Text = Field(description="the name of a portal or of an export", max_length=200)
    apply: bool = Field(default=False, strict=True, description="write the changes of pages that are read again")


class SentRelease(BaseModel):
    """A release to make."""

    name: Text = Field(json_schema_extra={"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"})
    title: Text = ""
    creators: list[Text] = Field(json_schema_extra={"minItems": 1})
    licence: Text = ""
    formats: list[Text] = Field(default=[], json_schema_extra={"items": {"enum": list(FORMS)}})
    dehydrated: bool = Field(default=False, strict=True, description="without texts")
    selection: SearchFilters | None = None


class Record(BaseModel):
    """Part of an answer."""

    model_config = ConfigDict(from_attributes=True)


#: Times keep the form that they have in exports.
Moment = Annotated[datetime, PlainSerializer(lambda moment: moment.isoformat())]
Share = Annotated[float, AfterValidator(lambda share: round(share, 4))]
_SENT_AS: dict[Any, Any] = {datetime: Moment, datetime | None: Moment | None, float: Share}


def make_model(name: str, record: type | None = None, fields: str = "", **more: Any) -> type[Record]:
    """Return a model of some fields of a record, and of further fields."""
    types = get_type_hints(record) if record else {}
    chosen = {field: _SENT_AS.get(types[field], types[field]) for field in fields.split()}
    return create_model(name, __base__=Record, **chosen, **more)


def list_of(item: Any) -> GenericAlias:
    """Return the type of a list of a model."""
    return GenericAlias(list, item)
