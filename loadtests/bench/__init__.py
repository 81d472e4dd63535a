"""`make bench`: what the servers cost, as ratios against baselines of the same run."""
