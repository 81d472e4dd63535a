"""What the dearest request costs: hostile requests, and a hunt for those that cost the server most."""
