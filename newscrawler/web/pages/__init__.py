"""The pages of the application, one module each."""
