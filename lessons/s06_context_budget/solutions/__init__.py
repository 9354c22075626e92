"""Reference solutions and wrong harnesses of this lesson."""
