"""Accounts, tokens and the audit log of the web application."""
