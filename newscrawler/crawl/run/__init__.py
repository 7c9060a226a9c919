"""The run of a portal: state, outcomes, commits, report."""
