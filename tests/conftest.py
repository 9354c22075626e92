"""How random tests run: no time limit on one example, and the same examples in every CI run.

A CI run repeats what it did before, so half as many do; elsewhere each run tries others.
"""

import os

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50)
settings.load_profile(
    "ci" if os.environ.get("CI", "").lower() not in ("", "0", "false") else "here"
)
