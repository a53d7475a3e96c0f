"""Other systems' words for what this package does."""
