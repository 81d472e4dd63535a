"""Servers as they are named at the command line."""

DEFAULT_SERVER = "127.0.0.1:50051"
"""Where `make run` listens."""
