"""The servers of Lair.

kernel    the words of play, pure: what every game is made of
games     one folder a game: its rules, pure, and its codec
rules     one gRPC handler for all games, built from descriptors
session   keeps games: seats, secrets, history, streams
runtime   the chassis: server, health, errors, logging, settings; knows no game and no session
app       the wiring: the only place where adapters are made
scaffold  writes a tiny playable game to start from
replicas  several servers on one PostgreSQL behind one edge, on this machine
demo      plays and verifies one game of each, from outside
"""
