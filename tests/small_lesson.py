"""A small lesson in a folder of its own, with one exercise of each kind of code."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import curriculum.lessons
from curriculum.course import exercises, lessons, runs

LESSON = "s90-small"
FILES = {
    "__init__.py": "",
    "lesson.toml": """
id = "s90-small"
title = "A small lesson"
mechanism = "one gate"
invariant = "what is cut says so"
misconception = "nothing is cut"
minutes = 6
needs = []
adds = "nothing"
core = false
[[cases]]
id = "s90-small"
title = "a tool returns 400 characters"
stops = "completed"
[[room]]
what = "L0"
minutes = 6
""",
    "lesson.md": """# A small lesson

## L0 · The picture (2 min)

A tool returns [red]400[/red] characters: `·` is a blank, `↵` a line's end.

<details>
<summary>The answer</summary>

It is 100.

</details>

## L1 · Run it (3 min)

| a | b |
|---|---|
| 1 | 2 |

```
  14  r0001  +read↵
```

## L2 · Engineering (3 min)

More of it.
""",
    "demo.py": """
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget

registry = ToolRegistry(Tool("read", lambda: "row " * 100))


def runner(trace):
    return AgentRunner(
        model=ScriptedModel((Turn(calls=(call("read"),)), Turn("Done."))),
        tools=registry,
        trace=trace,
        system_prompt="Be short.",
        budget=ContextBudget(max_input_chars=400, max_tool_output_chars=100),
    )


SCENARIOS = {"s90-small": Staged(runner, ("Read it.",))}
""",
    "exercises/s90_1.toml": """
format = 1
id = "s90-1"
kind = "predict"
title = "Lower the ceiling"
minutes = 2
hints = ["look at event 5", "gate 1 cuts", "with 80 it is 80"]
case = "s90-small"
change = { max_tool_output_chars = 60 }
[[slots]]
key = "log"
ask = "How long is the result in the log?"
type = "number"
read = "record.append 5 text"
""",
    "exercises/s90_2.toml": """
format = 1
id = "s90-2"
kind = "modify"
title = "Keep the log small"
minutes = 2
hints = ["look at tool.truncate", "gate 1 is final", "with 80 it is 80"]
entry = "runner"
[[must]]
key = "done"
read = "stop"
is = "completed"
says = "the run ends by itself"
[[must]]
key = "log"
read = "tool.truncate 1 size"
at-most = 60
says = "the log keeps at most 60 characters of the result"
""",
    "exercises/s90_3.toml": """
format = 1
id = "s90-3"
kind = "assertion"
title = "Say when gate 1 cut"
minutes = 2
hints = ["look for tool.truncate", "a cut is an event", "has any"]
case = "s90-small"
entry = "holds"
right = ["reference", "smaller"]
[[wrong]]
harness = "no_gate_1"
breaks = "a result passes gate 1"
[[wrong]]
harness = "no_tool"
breaks = "the tool is asked"
""",
    "exercises/s90_4.toml": """
format = 1
id = "s90-4"
kind = "make"
title = "Cut a text"
minutes = 3
hints = ["look at the length", "no more than the limit", "abcd and 3 give abc"]
entry = "keep"
""",
    "solutions/__init__.py": "",
    "solutions/wrong.py": '''
import attrs
from curriculum.agent.scripted import ScriptedModel, Turn
from curriculum.agent.staged import Staged
from curriculum.context.budget import ContextBudget


def reference(staged):
    """The harness as it is."""
    return staged


def smaller(staged):
    """A smaller gate 1."""
    return staged.under(budget=ContextBudget(max_input_chars=400, max_tool_output_chars=60))


def no_gate_1(staged):
    """A harness without gate 1."""
    return staged.under(budget=ContextBudget(max_input_chars=400))


def no_tool(staged):
    """A harness that asks no tool."""
    build = lambda trace: attrs.evolve(staged.build(trace), model=ScriptedModel((Turn("Done."),)))
    return Staged(build, staged.prompts)
''',
    "solutions/s90_4_check.py": """
SCENARIOS = [("", 3), ("abc", 3), ("abcdef", 3), ("abcdefghij", 4)]


def ask(module, scenario):
    return module.keep(*scenario)


def judge(scenario, answer):
    text, limit = scenario
    if answer == text[:limit]:
        return None
    return f"keep({text!r}, {limit}) gave {answer!r}; at most {limit} characters, from the start"


def smaller(scenario):
    text, limit = scenario
    return [(text[:n], limit) for n in range(len(text))]
""",
}
RUNNER = FILES["demo.py"].partition("\nSCENARIOS")[0]
STARTERS = {
    "s90_2": f'{RUNNER}\nPROMPTS = ("Read it.",)\n',
    "s90_3": "def holds(trace):\n    return True\n",
    "s90_4": "def keep(text, limit):\n    return text\n",
}
SOLUTIONS = {
    "s90_2": STARTERS["s90_2"].replace("max_tool_output_chars=100", "max_tool_output_chars=60"),
    "s90_3": 'def holds(trace):\n    return any(trace.of("tool.truncate"))\n',
    "s90_4": "def keep(text, limit):\n    return text[:limit]\n",
}


def lay_out(folder: Path) -> Path:
    """Write the lesson into `folder`, and give the folder of lessons back."""
    lesson = folder / "s90_small"
    files = {**FILES}
    files |= {f"exercises/{name}.py": code for name, code in STARTERS.items()}
    files |= {f"solutions/{name}.py": code for name, code in SOLUTIONS.items()}
    for name, text in files.items():
        path = lesson / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return folder


@contextmanager
def only(folder: Path) -> Generator[None]:
    """The lessons of `folder` are all that there are."""
    before = curriculum.lessons.__path__
    curriculum.lessons.__path__ = [str(folder)]
    _forget()
    try:
        yield
    finally:
        curriculum.lessons.__path__ = before
        _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.startswith("curriculum.lessons.s90")]:
        del sys.modules[name]
    lessons.lessons.cache_clear()
    exercises._read.cache_clear()  # pyright: ignore[reportPrivateUsage]
    runs.trace_of.cache_clear()
