"""What the users of the load test do: one module a story."""
