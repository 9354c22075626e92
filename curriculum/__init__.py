"""What a coding agent's harness shows its model: run, recorded and checked.

The names below are what a user needs; everything else is found by its room. Importing this
package does nothing: a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "AgentRunner",
    "ArtifactStore",
    "ContextBudget",
    "Cut",
    "Expect",
    "Output",
    "Recorder",
    "Request",
    "ScriptedModel",
    "Session",
    "Tool",
    "ToolRegistry",
    "Trace",
    "Turn",
    "assemble",
    "breaches",
    "call",
    "explain",
]
_ROOMS = {
    "AgentRunner": "agent.runner",
    "ArtifactStore": "record.artifacts",
    "ContextBudget": "context.budget",
    "Cut": "record.cut",
    "Expect": "agent.scripted",
    "Output": "agent.model",
    "Recorder": "trace.recorder",
    "Request": "wire.request",
    "ScriptedModel": "agent.scripted",
    "Session": "record.session",
    "Tool": "agent.tools",
    "ToolRegistry": "agent.tools",
    "Trace": "trace.reader",
    "Turn": "agent.scripted",
    "assemble": "context.assemble",
    "breaches": "trace.laws",
    "call": "agent.scripted",
    "explain": "trace.explain",
}

if TYPE_CHECKING:
    from .agent.model import Output
    from .agent.runner import AgentRunner
    from .agent.scripted import Expect, ScriptedModel, Turn, call
    from .agent.tools import Tool, ToolRegistry
    from .context.assemble import assemble
    from .context.budget import ContextBudget
    from .record.artifacts import ArtifactStore
    from .record.cut import Cut
    from .record.session import Session
    from .trace.explain import explain
    from .trace.laws import breaches
    from .trace.reader import Trace
    from .trace.recorder import Recorder
    from .wire.request import Request


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
