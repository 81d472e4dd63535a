"""Writes a tiny playable game to start from: `python -m services.scaffold goblins`.

names      what a new game may be called
writing    the template, filled in; the proto of the game's service, rendered
template   the game's files and the proto of its own types, with $name, $title and $prefix where the name comes in
"""
