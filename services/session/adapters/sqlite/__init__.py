"""Sessions in one SQLite file, of one process.

writer   owns the only writing connection, and commits together what has queued up
store    the port over it
commands what is done in one transaction
opening  the file's lock, its schema, its connections
rows     values to and from rows
"""
