"""Drawings of single games, found by the game's token. A game without one is drawn as a table by lair.cli.rendering."""
