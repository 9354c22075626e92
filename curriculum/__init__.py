"""What a coding agent's harness shows its model: run, recorded and checked.

The names below are what a user needs; everything else is found by its room. Importing this
package does nothing: a name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "AgentRunner",
    "Answers",
    "AnthropicMessages",
    "ArtifactFolder",
    "ArtifactStore",
    "Author",
    "BudgetCalculator",
    "BudgetError",
    "Call",
    "Capabilities",
    "Case",
    "Choice",
    "ContextBudget",
    "Counter",
    "CurriculumError",
    "Cut",
    "Denied",
    "Estimate",
    "Expect",
    "Gemini",
    "Image",
    "Kind",
    "LawBroken",
    "Native",
    "OpenAIChat",
    "OpenAIChat2",
    "OpenAIResponses",
    "Outcome",
    "Output",
    "Plain",
    "Record",
    "Recorder",
    "Recording",
    "Repeats",
    "Request",
    "ScriptedModel",
    "Session",
    "Staged",
    "Thinking",
    "TokenBudget",
    "Tool",
    "ToolOutput",
    "ToolRegistry",
    "Trace",
    "Trust",
    "Turn",
    "assemble",
    "at_event",
    "branch",
    "breaches",
    "call",
    "counter_for_model",
    "counter_of",
    "explain",
    "mend",
    "picture",
    "read_artifact",
    "wire_of",
]
_ROOMS = {
    "AgentRunner": "agent.runner",
    "Answers": "record.records",
    "AnthropicMessages": "wire.anthropic_messages",
    "ArtifactFolder": "record.artifact_folder",
    "ArtifactStore": "record.artifacts",
    "Author": "record.records",
    "BudgetCalculator": "count.token_budget",
    "BudgetError": "context.unworkable",
    "Call": "record.records",
    "Capabilities": "count.models",
    "Case": "golden.cases",
    "Choice": "context.choices",
    "ContextBudget": "context.budget",
    "Counter": "count.counter",
    "CurriculumError": "record.errors",
    "Cut": "record.cut",
    "Denied": "agent.failures",
    "Estimate": "count.counter",
    "Expect": "agent.expectations",
    "Gemini": "wire.gemini",
    "Image": "record.records",
    "Kind": "record.records",
    "LawBroken": "record.law",
    "Native": "record.records",
    "OpenAIChat": "wire.openai_chat",
    "OpenAIChat2": "wire.openai_chat_2",
    "OpenAIResponses": "wire.openai_responses",
    "Outcome": "agent.runner",
    "Output": "agent.output",
    "Plain": "wire.plain",
    "Record": "record.records",
    "Recorder": "trace.recorder",
    "Recording": "agent.own_loop",
    "Repeats": "record.repeats",
    "Request": "wire.request",
    "ScriptedModel": "agent.scripted",
    "Session": "record.session",
    "Staged": "agent.staged",
    "Thinking": "agent.thinking",
    "TokenBudget": "count.token_budget",
    "Tool": "agent.tools",
    "ToolOutput": "agent.tools",
    "ToolRegistry": "agent.tools",
    "Trace": "trace.reader",
    "Trust": "record.records",
    "Turn": "agent.scripted",
    "assemble": "context.assemble",
    "at_event": "replay.at_event",
    "branch": "agent.branching",
    "breaches": "trace.laws",
    "call": "agent.scripted",
    "counter_for_model": "count.for_model",
    "counter_of": "count.registry",
    "explain": "trace.explain",
    "mend": "replay.mending",
    "picture": "record.picture",
    "read_artifact": "agent.read_artifact",
    "wire_of": "wire.registry",
}

if TYPE_CHECKING:
    from .agent.branching import branch
    from .agent.expectations import Expect
    from .agent.failures import Denied
    from .agent.output import Output
    from .agent.own_loop import Recording
    from .agent.read_artifact import read_artifact
    from .agent.runner import AgentRunner, Outcome
    from .agent.scripted import ScriptedModel, Turn, call
    from .agent.staged import Staged
    from .agent.thinking import Thinking
    from .agent.tools import Tool, ToolOutput, ToolRegistry
    from .context.assemble import assemble
    from .context.budget import ContextBudget
    from .context.choices import Choice
    from .context.unworkable import BudgetError
    from .count.counter import Counter, Estimate
    from .count.for_model import counter_for_model
    from .count.models import Capabilities
    from .count.registry import counter_of
    from .count.token_budget import BudgetCalculator, TokenBudget
    from .golden.cases import Case
    from .record.artifact_folder import ArtifactFolder
    from .record.artifacts import ArtifactStore
    from .record.cut import Cut
    from .record.errors import CurriculumError
    from .record.law import LawBroken
    from .record.picture import picture
    from .record.records import Answers, Author, Call, Image, Kind, Native, Record, Trust
    from .record.repeats import Repeats
    from .record.session import Session
    from .replay.at_event import at_event
    from .replay.mending import mend
    from .trace.explain import explain
    from .trace.laws import breaches
    from .trace.reader import Trace
    from .trace.recorder import Recorder
    from .wire.anthropic_messages import AnthropicMessages
    from .wire.gemini import Gemini
    from .wire.openai_chat import OpenAIChat
    from .wire.openai_chat_2 import OpenAIChat2
    from .wire.openai_responses import OpenAIResponses
    from .wire.plain import Plain
    from .wire.registry import wire_of
    from .wire.request import Request


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
