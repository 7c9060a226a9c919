"""The pages, a module each: what they show, and what they change."""
