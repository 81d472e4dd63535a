"""What can be done with sessions: every decision, over the ports, and without input or output of their own.

access       the first checks of every call
requests     requests that may be sent again
lobby        creating and joining
leaving      leaving and aborting
rematches    playing again, by whoever sat there before
submitting   the order of checks, and the one transaction of a move
reading      views, history, what is revealed
items        what a stream is made of
watching     streams: every revision once and in order
timekeeping  what is done when an alarm has rung: time-outs, stand-ins, the end of what nobody touches
"""
