"""What the oracle tests share: the bridge from a plan to the independent programs that judge it."""
