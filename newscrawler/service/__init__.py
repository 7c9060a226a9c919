"""Every night, by itself: when each portal's turn is, what its night was like, and who is told.

Pure: `planner` (when), `forecast` (whether all crawls fit), `figures` and `health` (what a night was like), `alerts` (what is
news), `digest` (the morning's page). Impure: `supervisor` and what it works with (`fork_server`, `children`, `workload`,
`notifiers`, `metrics`, `reload`).
"""
