"""The gRPC face: requests are read into the domain's values, and answers are written from them.

servicer  the methods
playing   PlaySeat: submits go in, acknowledgements and updates come out
messages  messages to and from the domain
updates   a revision as each of its readers is told of it, in bytes
encoding  how bytes of messages are put together
bounds    what a request may have at most
limits    the clocks that a caller may ask for
pages     page sizes and page tokens
values    what stands in many messages
"""
