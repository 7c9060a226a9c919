"""The service: when each portal is crawled, how its crawls went, and who is notified.

Pure: `planner` (when), `forecast` (whether all crawls fit), `figures` and `health` (what a night was like), `alerts` (what is
news), `digest` (the morning's page). Impure: `supervisor` and what it works with (`fork_server`, `children`, `workload`,
`notifiers`, `metrics`, `reload`).
"""
