"""The chassis of every server: it knows no game and no session.

failure    what a call can end with instead of an answer, in neutral words
status     the same as google.rpc.Status, there and back
calls      where a call becomes an answer or a status, and one log event
requests   bytes from outside as a message with every required field
server     listening, health, reflection, and the drain on SIGTERM
settings   what the environment sets, read once
logs       structlog for people or for machines
"""
