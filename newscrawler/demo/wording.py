"""Dates as a newsroom words them."""

from __future__ import annotations

from datetime import datetime

from newscrawler.demo.edition import Edition
from newscrawler.demo.story import Story


def worded_day(moment: datetime, edition: Edition) -> str:
    """Return a date such as "19. listopadu 2026"."""
    return edition.date.format(day=moment.day, month=edition.months[moment.month - 1], year=moment.year)


def worded(moment: datetime, edition: Edition) -> str:
    """Return a time such as "19. listopadu 2026, 14:05"."""
    return f"{worded_day(moment, edition)}, {moment:%H:%M}"


def numeric(moment: datetime, edition: Edition) -> str:
    """Return a date as numbers, in the order of the language."""
    separator = "/" if edition.code == "en" else "."
    return f"{moment.day:02}{separator}{moment.month:02}{separator}{moment.year} {moment:%H:%M}"


def shown_date(story: Story, anchor: datetime) -> str:
    """Return the date as the page shows it; relative dates count from the anchor."""
    moment, edition = story.published_at, story.edition
    local = anchor.astimezone(moment.tzinfo)
    if story.date_form == "hours ago":
        return edition.hours_ago.format(hours=int((anchor.timestamp() - moment.timestamp()) // 3600))
    if story.date_form == "relative":
        pattern = edition.today if local.date() == moment.date() else edition.yesterday
        return pattern.format(time=f"{moment:%H:%M}")
    if story.date_form == "numeric":
        return numeric(moment, edition)
    if story.date_form == "day":
        return worded_day(moment, edition)
    return worded(moment, edition)


def shown_update(story: Story) -> str:
    """Return the time of the latest change with its label; empty if there was none."""
    if story.modified_at is None:
        return ""
    return f"{story.edition.words['updated']}: {worded(story.modified_at, story.edition)}"


def masthead_date(anchor: datetime, edition: Edition) -> str:
    """Return the date of today with the name day, which the head of every page shows."""
    text = f"{edition.weekdays[anchor.weekday()]} {worded_day(anchor, edition)}"
    if edition.name_days:
        name = edition.name_days[anchor.toordinal() % len(edition.name_days)]
        text += " · " + edition.name_day.format(name=name)
    return text
