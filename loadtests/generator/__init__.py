"""The load generator: a process that makes calls, and tells how long they took."""
