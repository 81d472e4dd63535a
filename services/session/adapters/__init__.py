"""What the ports are made of: SQLite, the rules in process or over gRPC, the fan-out in process."""
