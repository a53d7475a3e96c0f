"""At home in web frameworks, each behind its own door; none is imported unless it is asked for."""
