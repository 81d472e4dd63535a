"""Keeps games: seats, secrets, history, streams. It knows no game: it calls every one through the opaque form.

domain    what a session is
ports     what it needs from outside: a store, the rules, a fan-out, a clock
usecases  what can be done with sessions
wire      the gRPC face over the use cases
adapters  SQLite, the rules in process or over gRPC, the fan-out in process, the clock

timekeeper keeps the clocks of all sessions beside the calls, and places bounds how many at once.
"""
