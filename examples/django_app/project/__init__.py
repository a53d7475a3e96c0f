"""The Django project of the example."""
