"""Writes a tiny playable game to start from: `python -m services.scaffold goblins`.

names      what a new game may be called
writing    the template, filled in
template   the game's files and its proto, with $name, $title and $prefix where the name comes in
"""
