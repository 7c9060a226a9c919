from .capacity import (
    Capacity,
    Costs,
    Machine,
    Measured,
    Night,
    describe_capacity,
    estimate_loads,
    plan_capacity,
    plan_night_jobs,
    read_measurements,
)
from .daemon import load_watched_file, serve
from .digest import PortalState, describe_digest, format_digest_html, format_digest_text
from .exports import write_export
from .health import FINE, LEARNING, Assessment
from .logs import LogReport, write_logs
from .notifications import DeliveryError, Notification, Notifier, create_notifiers
from .overview import Overviews, get_day, make_digest, read_portals, survey

__all__ = [
    "FINE",
    "LEARNING",
    "Assessment",
    "Capacity",
    "Costs",
    "DeliveryError",
    "LogReport",
    "Machine",
    "Measured",
    "Night",
    "Notification",
    "Notifier",
    "Overviews",
    "PortalState",
    "create_notifiers",
    "describe_capacity",
    "describe_digest",
    "estimate_loads",
    "format_digest_html",
    "format_digest_text",
    "get_day",
    "load_watched_file",
    "make_digest",
    "plan_capacity",
    "plan_night_jobs",
    "read_measurements",
    "read_portals",
    "serve",
    "survey",
    "write_export",
    "write_logs",
]
