from .backfills import BackfillState, list_backfills, read_backfill
from .daemon import load_watched_file, serve
from .digest import PortalState, describe_digest, format_digest_html, format_digest_text
from .health import FINE, LEARNING, AlertKind, Assessment
from .logs import LogReport, write_logs
from .notifications import DeliveryError, Notification, Notifier, create_notifiers, deliver_in_time
from .overview import Overview, Overviews, get_day, list_crawls_of_day, make_digest
from .requested_jobs import RequestedJobs
from .tasks import write_export

__all__ = [
    "FINE",
    "LEARNING",
    "AlertKind",
    "Assessment",
    "BackfillState",
    "DeliveryError",
    "LogReport",
    "Notification",
    "Notifier",
    "Overview",
    "Overviews",
    "PortalState",
    "RequestedJobs",
    "create_notifiers",
    "deliver_in_time",
    "describe_digest",
    "format_digest_html",
    "format_digest_text",
    "get_day",
    "list_backfills",
    "list_crawls_of_day",
    "load_watched_file",
    "make_digest",
    "read_backfill",
    "serve",
    "write_export",
    "write_logs",
]
