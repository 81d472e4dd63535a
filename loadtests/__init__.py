"""Measuring: ratios against baselines of the same run. README.md says how and what for."""
