"""The example project is a project of its own: tests/test_guide.py runs it in a copy."""

collect_ignore = ["tiny_agent"]
