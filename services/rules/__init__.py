"""One gRPC face for all games, built from descriptors. `python -m services.rules` serves it.

words      the kernel's words to and from monsters.rules.v1
face       the methods of a game's RulesService, in the opaque form: the same code for every game
chains     the one that is a stream: many moves, each going on from where its chain has come to
service    a face for every game, as gRPC services
"""
