# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message


class ApprovalAction(str, Enum):
    """approval.v1.ApprovalAction"""

    UNSPECIFIED = "APPROVAL_ACTION_UNSPECIFIED"
    """Not given; never stored."""
    ANSWER = "APPROVAL_ACTION_ANSWER"
    """Takes `choice`, or else the choice that agrees once."""
    ASK = "APPROVAL_ACTION_ASK"
    """Leaves it to a person."""
    REFUSE = "APPROVAL_ACTION_REFUSE"
    """Takes the choice that refuses. Counts before all other rules."""



@dataclass
class AddApprovalRequest(Message):
    """approval.v1.AddApprovalRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    rule: Optional[ApprovalRule] = None
    """What is added, unless it is there already. Required."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
        Field("rule", "rule", lambda: ApprovalRule, False, True),
    )



@dataclass
class ApprovalRule(Message):
    """approval.v1.ApprovalRule"""

    action: Union[ApprovalAction, str] = ApprovalAction.UNSPECIFIED
    """What is done with a question that it matches. Required."""
    forms: List[str] = _field(default_factory=list)
    """The kinds of questions it is for, such as `plan`. Empty: `permission` alone, so nothing else is
    answered unless named."""
    tools: List[str] = _field(default_factory=list)
    """What the question would use, such as `shell` or `write`. Empty: anything."""
    command: Optional[ApprovalPattern] = None
    """The command. Only `exact` agrees to more than one simple command."""
    path: Optional[ApprovalPattern] = None
    """The file: absolute, or relative to the agent’s worktree. Outside of it, only absolute patterns
    match."""
    host: Optional[ApprovalPattern] = None
    """The host that is fetched from, such as `*.example.com`."""
    text: Optional[ApprovalPattern] = None
    """All words of the question, row by row. Of a permission for anything but a command, a file or a
    host, only `exact` agrees."""
    choice: str = ""
    """The choice to take, as the screen shows it. Unset: the one that agrees once."""
    note: str = ""
    """Why the rule exists, for people."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("action", "action", lambda: ApprovalAction, False, False),
        Field("forms", "forms", "string", True, False),
        Field("tools", "tools", "string", True, False),
        Field("command", "command", lambda: ApprovalPattern, False, True),
        Field("path", "path", lambda: ApprovalPattern, False, True),
        Field("host", "host", lambda: ApprovalPattern, False, True),
        Field("text", "text", lambda: ApprovalPattern, False, True),
        Field("choice", "choice", "string", False, False),
        Field("note", "note", "string", False, False),
    )



@dataclass
class ApprovalPattern(Message):
    """approval.v1.ApprovalPattern"""

    exact: str = ""
    """Exactly this text."""
    glob: str = ""
    """A glob. Of a command, each word is one, and a last `*` stands for any further words, as in `git
    log *`."""
    expression: str = ""
    """A regular expression that must match all of it."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("exact", "exact", "string", False, False),
        Field("glob", "glob", "string", False, False),
        Field("expression", "expression", "string", False, False),
    )



@dataclass
class AddApprovalResponse(Message):
    """approval.v1.AddApprovalResponse"""

    rules: List[ApprovalRule] = _field(default_factory=list)
    """The rules in their order."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("rules", "rules", lambda: ApprovalRule, True, False),
    )



@dataclass
class GetApprovalsRequest(Message):
    """approval.v1.GetApprovalsRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID. Unset: none."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
    )



@dataclass
class GetApprovalsResponse(Message):
    """approval.v1.GetApprovalsResponse"""

    rules: List[ApprovalRule] = _field(default_factory=list)
    """The rules in their order."""
    enabled: Optional[bool] = None
    """Whether rules answer questions, in the whole installation."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("rules", "rules", lambda: ApprovalRule, True, False),
        Field("enabled", "enabled", "bool", False, True),
    )



@dataclass
class SetApprovalsRequest(Message):
    """approval.v1.SetApprovalsRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    rules: List[ApprovalRule] = _field(default_factory=list)
    """The rules in their order. Empty: every question is left to a person."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
        Field("rules", "rules", lambda: ApprovalRule, True, False),
    )



@dataclass
class SetApprovalsResponse(Message):
    """approval.v1.SetApprovalsResponse"""

    rules: List[ApprovalRule] = _field(default_factory=list)
    """The rules in their order."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("rules", "rules", lambda: ApprovalRule, True, False),
    )



@dataclass
class SwitchApprovalsRequest(Message):
    """approval.v1.SwitchApprovalsRequest"""

    enabled: Optional[bool] = None
    """Whether rules answer questions."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("enabled", "enabled", "bool", False, True),
    )



@dataclass
class SwitchApprovalsResponse(Message):
    """approval.v1.SwitchApprovalsResponse"""

    enabled: Optional[bool] = None
    """Whether rules answer questions, in the whole installation."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("enabled", "enabled", "bool", False, True),
    )



@dataclass
class TestApprovalsRequest(Message):
    """approval.v1.TestApprovalsRequest"""

    agent_id: str = ""
    """The agent whose question is tried. Unset: `screen` is."""
    workflow_id: str = ""
    """The workflow whose rules are tried. Unset: the agent’s, or `rules`."""
    rules: List[ApprovalRule] = _field(default_factory=list)
    """Rules to try instead of those of a workflow."""
    screen: str = ""
    """A recorded screen, with or without SGR escape sequences."""
    harness: str = ""
    """The CLI that the recorded screen is of, such as `claude`. Required with `screen`."""
    width: int = 0
    """The width of the recorded screen in columns. Unset: 80."""
    height: int = 0
    """The height of the recorded screen in rows. Unset: as many as it has, at least 24."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("rules", "rules", lambda: ApprovalRule, True, False),
        Field("screen", "screen", "string", False, False),
        Field("harness", "harness", "string", False, False),
        Field("width", "width", "int32", False, False),
        Field("height", "height", "int32", False, False),
    )



@dataclass
class TestApprovalsResponse(Message):
    """approval.v1.TestApprovalsResponse"""

    question: Optional[AskedQuestion] = None
    """The question as rules see it. Unset if the screen asks nothing."""
    verdict: Optional[ApprovalVerdict] = None
    """What the rules decide about it. Unset without a question."""
    proposal: Optional[ApprovalRule] = None
    """A rule that would agree to this question. Unset if none can."""
    workflow_id: str = ""
    """The workflow whose rules count for the agent. Unset without one."""
    enabled: Optional[bool] = None
    """Whether rules answer questions, in the whole installation."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("question", "question", lambda: AskedQuestion, False, True),
        Field("verdict", "verdict", lambda: ApprovalVerdict, False, True),
        Field("proposal", "proposal", lambda: ApprovalRule, False, True),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("enabled", "enabled", "bool", False, True),
    )



@dataclass
class AskedQuestion(Message):
    """approval.v1.AskedQuestion"""

    form: str = ""
    """What kind of question it is, such as `permission`, `plan`, `trust` or `payment`."""
    tool: str = ""
    """What it would use: `shell`, `write`, `read`, `fetch` or `other`. Empty unless it asks for
    permission."""
    command: str = ""
    """The command that it would run. Unset if none was read."""
    path: str = ""
    """The file that it would read or write, as the screen names it. Unset if none was read."""
    host: str = ""
    """The host that it would fetch from. Unset if none was read."""
    text: str = ""
    """All of its words, row by row."""
    whole: bool = False
    """Whether it was read completely. Otherwise no rule agrees to it."""
    choices: List[str] = _field(default_factory=list)
    """The choices that a rule could take, as the screen shows them."""
    resolved_path: str = ""
    """The absolute path of the file, with links followed. Unset if it is not known."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("form", "form", "string", False, False),
        Field("tool", "tool", "string", False, False),
        Field("command", "command", "string", False, False),
        Field("path", "path", "string", False, False),
        Field("host", "host", "string", False, False),
        Field("text", "text", "string", False, False),
        Field("whole", "whole", "bool", False, False),
        Field("choices", "choices", "string", True, False),
        Field("resolved_path", "resolvedPath", "string", False, False),
    )



@dataclass
class ApprovalVerdict(Message):
    """approval.v1.ApprovalVerdict"""

    action: Union[ApprovalAction, str] = ApprovalAction.UNSPECIFIED
    """What is done. A question that no rule matches is left to a person."""
    rule: int = 0
    """The rule that decided, counting from one. 0 if none matched."""
    choice: str = ""
    """The choice that is taken, as the screen shows it. Unset if none is."""
    reason: str = ""
    """Why, in words."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("action", "action", lambda: ApprovalAction, False, False),
        Field("rule", "rule", "int32", False, False),
        Field("choice", "choice", "string", False, False),
        Field("reason", "reason", "string", False, False),
    )
