"""A whole small lesson: the skeleton filled in, with one exercise of every further kind."""

from .authored import Author

MORE = {
    "exercises/s91_4.toml": """format = 1
id = "s91-4"
kind = "assertion"
title = "Say whether gate 1 stands"
minutes = 4
hints = ["look for tool.truncate", "a cut is an event", "has any of them"]
case = "s91-tiny"
ask = "Write holds(trace): whether a long result was cut."
entry = "holds"
right = ["reference", "smaller"]
[[wrong]]
harness = "no_gate"
breaks = "a result passes gate 1"
[[wrong]]
harness = "no_tool"
breaks = "the tool is asked"
""",
    "exercises/s91_4.py": '"""A starter."""\n\n\ndef holds(trace):\n    return True\n',
    "solutions/s91_4.py": '"""A solution."""\n\n\ndef holds(trace):\n    return any(trace.of("tool.truncate"))\n',
    "exercises/s91_5.toml": """format = 1
id = "s91-5"
kind = "order"
title = "From the tool to the model"
minutes = 2
hints = ["begin at the end", "gate 1 stands before the log", "the user's text comes first"]
case = "s91-tiny"
ask = "Which of these happen, and in which order?"
[[events]]
key = "call"
says = "the model asks for the tool"
at = "model.response 1"
[[events]]
key = "returns"
says = "the tool returns"
at = "tool.result 1"
[[events]]
key = "log"
says = "the result enters the log"
at = "record.append 5"
[[events]]
key = "sent"
says = "the second request is sent"
at = "model.request 2"
[[events]]
key = "rewrite"
says = "the log is rewritten"
why = "a log only grows."
[[events]]
key = "retry"
says = "the request is sent again"
why = "it fits."
""",
    "exercises/s91_6.toml": """format = 1
id = "s91-6"
kind = "spot"
title = "Where the promise breaks"
minutes = 2
hints = ["compare the lengths", "the promise is about the log", "a record of 90 keeps it"]
case = "s91-tiny"
harness = "no_gate"
promise = "no record of the log is longer than 100 characters"
at = "record.append 5"
shows = ["record.append", "tool.result"]
""",
    "exercises/s91_7.toml": """format = 1
id = "s91-7"
kind = "cause"
title = "Why there is a second request"
minutes = 2
hints = ["look at the assembly", "a cause is named", "the first was made for the user"]
case = "s91-tiny"
ask = "Which event was the cause that the second request was put together?"
at = "context.assemble 2"
shows = ["record.append", "tool.result", "model.request"]
""",
    "exercises/s91_8.toml": """format = 1
id = "s91-8"
kind = "explain"
title = "Why the log has less"
minutes = 3
hints = ["look at tool.truncate", "gate 1 is final", "with 80 it is 80"]
case = "s91-tiny"
ask = "Why is the log shorter than what the tool returned?"
cites = "tool.result tool.truncate"
[[models]]
is = "right"
text = "Gate 1 cuts a result before it enters the log."
why = "it names the gate and the place."
[[models]]
is = "thin"
text = "It was cut."
why = "it does not say by what."
[[models]]
is = "wrong"
text = "The model reads only so much."
why = "the log is there before the model."
[[facts]]
ask = "The tool returned more than the log has."
is = true
why = "it returned 400."
[[facts]]
ask = "The missing part can be read in the log."
is = false
why = "gate 1 is final."
[[facts]]
ask = "The marker counts as a part of the result."
is = true
why = "it stands inside the ceiling."
""",
}
HARNESSES = '''

def reference(staged: Staged) -> Staged:
    """The harness as it is."""
    return staged


def smaller(staged: Staged) -> Staged:
    """A smaller gate 1."""
    return staged.under(budget=ContextBudget(max_input_chars=400, max_tool_output_chars=60))


def no_tool(staged: Staged) -> Staged:
    """A harness that asks no tool."""
    from curriculum.agent.scripted import ScriptedModel, Turn

    return staged.under(model=ScriptedModel((Turn("Done."),)))
'''


def write_whole(author: Author) -> None:
    """Begin a lesson, fill it in, add the further exercises, and record its golden."""
    from curriculum.course.skeleton import begin

    begin("s91-tiny", "A tiny lesson")
    author.fill_in()
    for file, text in MORE.items():
        author.write(file, text)
    wrong = author.folder / "solutions" / "wrong.py"
    author.write("solutions/wrong.py", wrong.read_text(encoding="utf-8") + HARNESSES)
    author.record()
