"""The long-term memory of what users prefer, kept in your own PostgreSQL."""
