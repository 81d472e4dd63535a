"""What every measurement needs: processes, rounds by turns, filled databases, conditions, tables in the docs."""
