"""The chassis of every server: it knows no game and no session.

failure         what a call can end with instead of an answer, in neutral words
status          the same as google.rpc.Status, there and back
calls           where a call becomes an answer or a status, and one log event
requests        bytes from outside as a message with every required field
server          listening, health, reflection, and the drain on SIGTERM
settings        what the environment sets, read once
environment     the same from the environment, or what is wrong with it
addresses       where something listens, or why it can't
logs            structlog for people or for machines
standard_error  lines, written by a thread
"""

import os

# The core of gRPC looks at these when it is imported. Whoever wants something else sets another value.
#
# It writes lines of its own to standard error, beside the sentence or the event that says the same.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
# Its newer way to wait for sockets reads and writes in threads of its own, and each message goes from thread to thread
# once more than in the older one: a stream's message then costs a third more, a move on SQLite a twelfth.
NEWER = ("client", "listener", "for_all_other_endpoints", "callback_cq")
os.environ.setdefault("GRPC_EXPERIMENTS", ",".join([f"-event_engine_{part}" for part in NEWER]))
