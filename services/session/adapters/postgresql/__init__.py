"""Sessions in PostgreSQL, which any number of servers share.

opening     the database, its connections, and what they have to keep to
schema      whether the schema is one that this server may run on
migrating   brings the schema up to date
changes     what saves a change, or many together; and whether a lost one was saved
commands    what else is written, each in a transaction of its own
writer      two connections that save together whatever waits
reader      four connections that answer together whatever waits
remembered  the sessions that were seen last
alarms      the next alarms, as far as they are known here
store       the port over them
"""
