"""One gRPC handler for all games, built from descriptors. `python -m services.rules` serves it.

words      the kernel's words to and from monsters.rules.v1
messages   a game's own messages, which are bytes in the opaque form: read, checked and written
handler    the methods of a game's RulesService, in the opaque form: the same code for every game
chains     the one that is a stream: many moves, each going on from where its chain has come to
failures   what a call can end with
service    a handler for every game, as gRPC services
"""
