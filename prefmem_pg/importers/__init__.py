"""Other systems' exports, and our own JSON lines, turned into new messages."""
