"""`make growth`: how the cost of a move grows."""
