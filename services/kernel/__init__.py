"""The words of play, pure: what every game is made of, and what follows from it once for all of them.

game       what a game is: functions over its own position
standing   whom a game waits for, or how it ended
audience   who may know of something
chance     dice and shuffles from a seed or a script, with a receipt for each
refusals   why a move, a position or a request can't be taken
notation   options as words of a line
playing    random play, for every game
"""
