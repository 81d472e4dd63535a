"""The chassis of every server: it knows no game and no session.

failure    what a call can end with instead of an answer, in neutral words
status     the same as google.rpc.Status, there and back
calls      where a call becomes an answer or a status, and one log event
requests   bytes from outside as a message with every required field
server     listening, health, reflection, and the drain on SIGTERM
settings   what the environment sets, read once
logs       structlog for people or for machines
"""

import os

# The core of gRPC writes lines of its own to standard error, beside the sentence or the event that says the same. It
# looks here when it is imported; whoever wants the lines sets another value.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
