"""What a coding agent's harness shows its model: run, recorded and checked.

The names below are what a user needs; everything else is found by its room. Importing this
package does nothing: a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "AgentRunner",
    "Answers",
    "ArtifactStore",
    "Author",
    "BudgetError",
    "Call",
    "Case",
    "Choice",
    "ContextBudget",
    "CurriculumError",
    "Cut",
    "Expect",
    "Kind",
    "LawBroken",
    "OpenAIChat",
    "Outcome",
    "Output",
    "Plain",
    "Record",
    "Recorder",
    "Recording",
    "Request",
    "ScriptedModel",
    "Session",
    "Staged",
    "Tool",
    "ToolRegistry",
    "Trace",
    "Trust",
    "Turn",
    "assemble",
    "breaches",
    "call",
    "explain",
    "read_artifact",
]
_ROOMS = {
    "AgentRunner": "agent.runner",
    "Answers": "record.records",
    "ArtifactStore": "record.artifacts",
    "Author": "record.records",
    "BudgetError": "context.budget",
    "Call": "record.records",
    "Case": "golden.cases",
    "Choice": "context.choices",
    "ContextBudget": "context.budget",
    "CurriculumError": "record.errors",
    "Cut": "record.cut",
    "Expect": "agent.scripted",
    "Kind": "record.records",
    "LawBroken": "record.law",
    "OpenAIChat": "wire.openai_chat",
    "Outcome": "agent.runner",
    "Output": "agent.model",
    "Plain": "wire.plain",
    "Record": "record.records",
    "Recorder": "trace.recorder",
    "Recording": "agent.own_loop",
    "Request": "wire.request",
    "ScriptedModel": "agent.scripted",
    "Session": "record.session",
    "Staged": "agent.scenario",
    "Tool": "agent.tools",
    "ToolRegistry": "agent.tools",
    "Trace": "trace.reader",
    "Trust": "record.records",
    "Turn": "agent.scripted",
    "assemble": "context.assemble",
    "breaches": "trace.laws",
    "call": "agent.scripted",
    "explain": "trace.explain",
    "read_artifact": "agent.read_artifact",
}

if TYPE_CHECKING:
    from .agent.model import Output
    from .agent.own_loop import Recording
    from .agent.read_artifact import read_artifact
    from .agent.runner import AgentRunner, Outcome
    from .agent.scenario import Staged
    from .agent.scripted import Expect, ScriptedModel, Turn, call
    from .agent.tools import Tool, ToolRegistry
    from .context.assemble import assemble
    from .context.budget import BudgetError, ContextBudget
    from .context.choices import Choice
    from .golden.cases import Case
    from .record.artifacts import ArtifactStore
    from .record.cut import Cut
    from .record.errors import CurriculumError
    from .record.law import LawBroken
    from .record.records import Answers, Author, Call, Kind, Record, Trust
    from .record.session import Session
    from .trace.explain import explain
    from .trace.laws import breaches
    from .trace.reader import Trace
    from .trace.recorder import Recorder
    from .wire.openai_chat import OpenAIChat
    from .wire.plain import Plain
    from .wire.request import Request


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
