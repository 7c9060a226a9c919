from .daemon import WorkerRole, WorkerSettings, is_worker_alive, make_worker_name, prepare_database, serve_worker

__all__ = [
    "WorkerRole",
    "WorkerSettings",
    "is_worker_alive",
    "make_worker_name",
    "prepare_database",
    "serve_worker",
]
