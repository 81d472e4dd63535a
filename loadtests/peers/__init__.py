"""Lair beside other people's libraries, in the same run."""
