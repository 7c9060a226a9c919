"""The service: when each portal is crawled, how its crawls went, and who is notified.

Pure: `planner` (when), `forecast` (whether all crawls fit), `figures` and `health` (assess a night), `alerts` (what to report),
`digest` (the daily report). With side effects: `supervisor` and its parts (`fork_server`, `children`, `workload`, `notifiers`,
`metrics`, `reload`).
"""
