# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message


class BudgetMeasure(str, Enum):
    """budget.v1.BudgetMeasure"""

    UNSPECIFIED = "BUDGET_MEASURE_UNSPECIFIED"
    """Not given; never stored."""
    TURNS = "BUDGET_MEASURE_TURNS"
    """Turns that begin."""
    WORK = "BUDGET_MEASURE_WORK"
    """Minutes at work, added up over the agents."""
    LAUNCHES = "BUDGET_MEASURE_LAUNCHES"
    """Launches of agents."""



@dataclass
class SpentBudget(Message):
    """budget.v1.SpentBudget"""

    owner_id: str = ""
    """Whose budget it is: the id of an agent, a workflow or a schedule."""
    owner_name: str = ""
    """The name of that agent, workflow or schedule."""
    measure: Union[BudgetMeasure, str] = BudgetMeasure.UNSPECIFIED
    """What is used up."""
    used: int = 0
    """How much was used when it was used up."""
    limit: int = 0
    """How much may be used in a day."""
    since: str = ""
    """Since when it has been used up: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("owner_id", "ownerId", "string", False, False),
        Field("owner_name", "ownerName", "string", False, False),
        Field("measure", "measure", lambda: BudgetMeasure, False, False),
        Field("used", "used", "int32", False, False),
        Field("limit", "limit", "int32", False, False),
        Field("since", "since", "string", False, False),
    )



@dataclass
class ContinueBudgetRequest(Message):
    """budget.v1.ContinueBudgetRequest"""

    owner_id: str = ""
    """Whose budget: an agent, a workflow or a schedule, by its id: `agt_`, `wfl_` or `sch_` and a
    ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("owner_id", "ownerId", "string", False, False),
    )



@dataclass
class ContinueBudgetResponse(Message):
    """budget.v1.ContinueBudgetResponse"""

    budget: Optional[Budget] = None
    """The budget after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("budget", "budget", lambda: Budget, False, True),
    )



@dataclass
class Budget(Message):
    """budget.v1.Budget"""

    owner_id: str = ""
    """Whose budget it is: the id of an agent, a workflow or a schedule."""
    owner_name: str = ""
    """The name of that agent, workflow or schedule."""
    limits: Optional[BudgetAmounts] = None
    """What may be used in a day. An unset amount has no limit."""
    used: Optional[BudgetAmounts] = None
    """What is used of it today."""
    day_ends_at: str = ""
    """When the day ends, and counting starts again from 0: RFC 3339, UTC."""
    agents_at_work: int = 0
    """How many of its agents are at work now. Counted only if `limits.workMinutes` is set."""
    spent: Optional[SpentBudget] = None
    """Since when its agents are held, and why: muster types nothing to them until a person continues
    it. Unset: they are not."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("owner_id", "ownerId", "string", False, False),
        Field("owner_name", "ownerName", "string", False, False),
        Field("limits", "limits", lambda: BudgetAmounts, False, True),
        Field("used", "used", lambda: BudgetAmounts, False, True),
        Field("day_ends_at", "dayEndsAt", "string", False, False),
        Field("agents_at_work", "agentsAtWork", "int32", False, False),
        Field("spent", "spent", lambda: SpentBudget, False, True),
    )



@dataclass
class BudgetAmounts(Message):
    """budget.v1.BudgetAmounts"""

    turns: int = 0
    """How many turns begin."""
    work_minutes: int = 0
    """How many minutes agents are at work, added up."""
    launches: int = 0
    """How many agents are launched."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("turns", "turns", "int32", False, False),
        Field("work_minutes", "workMinutes", "int32", False, False),
        Field("launches", "launches", "int32", False, False),
    )



@dataclass
class ListBudgetsRequest(Message):
    """budget.v1.ListBudgetsRequest"""

    agent_id: str = ""
    """Only the budgets that the work of this agent counts to. Unset: all."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class ListBudgetsResponse(Message):
    """budget.v1.ListBudgetsResponse"""

    budgets: List[Budget] = _field(default_factory=list)
    """The budgets, by the ids of their owners."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("budgets", "budgets", lambda: Budget, True, False),
    )



@dataclass
class SetBudgetRequest(Message):
    """budget.v1.SetBudgetRequest"""

    owner_id: str = ""
    """Whose budget: an agent, a workflow or a schedule, by its id: `agt_`, `wfl_` or `sch_` and a
    ULID."""
    turns: int = 0
    """How many turns may begin in a day. 0: as it was."""
    work_minutes: int = 0
    """How many minutes its agents may work in a day, added up. 0: as it was."""
    launches: int = 0
    """How many agents may be launched in a day: by the agent, or into the workflow or by one of its
    agents, or by the schedule and its agents. 0: as it was."""
    clear: List[str] = _field(default_factory=list)
    """Amounts that get no limit, by name. One that is also given is set instead."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("owner_id", "ownerId", "string", False, False),
        Field("turns", "turns", "int32", False, False),
        Field("work_minutes", "workMinutes", "int32", False, False),
        Field("launches", "launches", "int32", False, False),
        Field("clear", "clear", "string", True, False),
    )



@dataclass
class SetBudgetResponse(Message):
    """budget.v1.SetBudgetResponse"""

    budget: Optional[Budget] = None
    """The budget after the call. Unset: it limits nothing now, so there is none."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("budget", "budget", lambda: Budget, False, True),
    )
