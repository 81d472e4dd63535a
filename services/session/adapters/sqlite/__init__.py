"""Sessions in one SQLite file, of one process.

writer   owns the only writing connection, and commits together what has queued up
store    the port over it
commands what is done in one transaction
opening  the schema of the file, its connections
file     who has the file, and whether its name still leads to it
"""
