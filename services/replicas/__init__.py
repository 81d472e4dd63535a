"""Several session servers on one PostgreSQL behind one edge, on this machine: `make run-replicas`.

database  PostgreSQL from its wheel, with its tables
server    one session server as a process: started, started again when it dies, ended
replicas  all of them and the edge before them, in the order in which they start and end
"""
