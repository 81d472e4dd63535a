"""What a session is: values, and what follows from them alone.

session   a session, its seats, its revisions
clocks    what is due in a session, and when
callers   who calls, and what a token opens
secrets   tokens, join codes and seeds: what is derived from what
failures  what a call can end with, in this service's words
"""
