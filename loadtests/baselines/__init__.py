"""Servers that do as little as possible: what the others are measured against."""
