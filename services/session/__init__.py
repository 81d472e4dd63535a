"""Keeps games: seats, secrets, history, streams. It knows no game: it calls every one through the opaque form.

domain       a session, its seats, what a token opens
secrets      tokens, join codes and seeds: what is derived from what
failures     what a call can end with, in this service's words
asking       requests that may be sent again
ports        what it needs: a store, the rules, a fan-out
lobby        creating and joining
leaving      leaving and aborting
rematches    playing again, by whoever sat there before
bounds       what a request may have at most
limits       the clocks that a caller may ask for
timekeeping  time-outs, stand-ins, the end of what nobody touches
submitting   the order of checks, and the one transaction of a move
reading      views, history, what is revealed
updates      a revision as each of its readers is told of it, in bytes
encoding     how bytes of messages are put together
watching     streams: every revision once and in order
playing      PlaySeat: submits go in, acknowledgements and updates come out
wire         messages to and from the domain
values       what stands in many messages
servicer     the gRPC face
adapters     SQLite, the rules in process or over gRPC, the fan-out in process
"""
