"""The path of a message: one file a step, each reads, thinks, writes."""
