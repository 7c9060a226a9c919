"""Trials of a cluster in which everything fails. See tools/cluster_chaos.py."""
