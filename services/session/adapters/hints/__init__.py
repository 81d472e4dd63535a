"""Hints between replicas: which sessions have changed. They only make others look; the store is the truth."""
