# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
from . import shared


@dataclass
class Fact(Message):
    """fact.v1.Fact"""

    seq: int = 0
    """The position in the log, ascending from one, perhaps with gaps. 0 if no log stores it."""
    kind: str = ""
    """What happened, such as `agent.created`."""
    subject_id: str = ""
    """What it is about: the id of an agent, workflow, schedule, host or other resource."""
    at: str = ""
    """When it happened: RFC 3339, UTC."""
    detail: str = ""
    """Details as a JSON object, such as `{"from":…,"to":…}`."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("seq", "seq", "int64", False, False),
        Field("kind", "kind", "string", False, False),
        Field("subject_id", "subjectId", "string", False, False),
        Field("at", "at", "string", False, False),
        Field("detail", "detail", "string", False, False),
    )



@dataclass
class GetMachineRequest(Message):
    """fact.v1.GetMachineRequest"""

    name: str = ""
    """Which machine, such as `agent` or `schedule`."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
    )



@dataclass
class GetMachineResponse(Message):
    """fact.v1.GetMachineResponse"""

    name: str = ""
    """The machine that is described."""
    mermaid: str = ""
    """A state diagram in Mermaid."""
    transitions: List[MachineTransition] = _field(default_factory=list)
    """Every transition of the definition."""
    definition: str = ""
    """The definition as XState’s JSON, guards and actions by name."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("mermaid", "mermaid", "string", False, False),
        Field("transitions", "transitions", lambda: MachineTransition, True, False),
        Field("definition", "definition", "string", False, False),
    )



@dataclass
class MachineTransition(Message):
    """fact.v1.MachineTransition"""

    from_: str = ""
    """The path of the state before, such as `live.idle`."""
    event: str = ""
    """The type of the event that causes it. Empty if it happens at once."""
    guard: str = ""
    """The name of its condition. Empty without one."""
    to: str = ""
    """The path of the state after."""
    effects: List[str] = _field(default_factory=list)
    """The kinds of the effects it requests, in order."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("from_", "from", "string", False, False),
        Field("event", "event", "string", False, False),
        Field("guard", "guard", "string", False, False),
        Field("to", "to", "string", False, False),
        Field("effects", "effects", "string", True, False),
    )



@dataclass
class ListFactsRequest(Message):
    """fact.v1.ListFactsRequest"""

    subject_id: str = ""
    """Only facts about this agent, workflow, host or other resource. Unset: all."""
    cursor: str = ""
    """nextPageToken of the last answer. Unset: the first page."""
    page_size: int = 0
    """Rows per page, at most 200. Unset: 50."""
    kinds: List[str] = _field(default_factory=list)
    """Only facts of these kinds, such as `agent.approved`, or of prefixes such as `agent.`. Empty:
    all."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("subject_id", "subjectId", "string", False, False),
        Field("cursor", "cursor", "string", False, False),
        Field("page_size", "pageSize", "int32", False, False),
        Field("kinds", "kinds", "string", True, False),
    )



@dataclass
class ListFactsResponse(Message):
    """fact.v1.ListFactsResponse"""

    facts: List[Fact] = _field(default_factory=list)
    """One page, newest first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("facts", "facts", lambda: Fact, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class WatchFactsRequest(Message):
    """fact.v1.WatchFactsRequest"""

    cursor: str = ""
    """cursor of the last answer. Unset: from now on; `0`: from the oldest kept."""
    subject_id: str = ""
    """Only facts about this agent, workflow, host or other resource. Unset: all."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("cursor", "cursor", "string", False, False),
        Field("subject_id", "subjectId", "string", False, False),
    )



@dataclass
class WatchFactsResponse(Message):
    """fact.v1.WatchFactsResponse"""

    facts: List[Fact] = _field(default_factory=list)
    """What happened since the cursor, oldest first."""
    cursor: str = ""
    """Pass it back as cursor to continue from here. Valid across restarts."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("facts", "facts", lambda: Fact, True, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class ExplainMachineRequest(Message):
    """fact.v1.ExplainMachineRequest"""

    machine: str = ""
    """Which machine, such as `agent` or `schedule`."""
    subject_id: str = ""
    """The instance, by its id."""
    seq: int = 0
    """Explain the moment after this transition. Unset: now."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("machine", "machine", "string", False, False),
        Field("subject_id", "subjectId", "string", False, False),
        Field("seq", "seq", "int64", False, False),
    )



@dataclass
class ExplainMachineResponse(Message):
    """fact.v1.ExplainMachineResponse"""

    machine: str = ""
    """The machine of the request."""
    subject_id: str = ""
    """The instance of the request."""
    name: str = ""
    """The name of the instance."""
    state: str = ""
    """The path of its state."""
    context: str = ""
    """The machine’s context, as a JSON object."""
    transition: Optional[Transition] = None
    """The transition that led there. Unset if none is on record."""
    next: List[Prospect] = _field(default_factory=list)
    """What each event would do."""
    changes: List[ContextChange] = _field(default_factory=list)
    """What that transition changed in the context."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("machine", "machine", "string", False, False),
        Field("subject_id", "subjectId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("state", "state", "string", False, False),
        Field("context", "context", "string", False, False),
        Field("transition", "transition", lambda: Transition, False, True),
        Field("next", "next", lambda: Prospect, True, False),
        Field("changes", "changes", lambda: ContextChange, True, False),
    )



@dataclass
class Transition(Message):
    """fact.v1.Transition"""

    seq: int = 0
    """The position in the log of transitions, ascending from one."""
    machine: str = ""
    """The machine, such as `agent`."""
    subject_id: str = ""
    """The instance: the id of an agent, a schedule, a firing and so on."""
    at: str = ""
    """When it happened: RFC 3339, UTC."""
    event: str = ""
    """The type of the event that caused it. Empty if the instance began."""
    event_detail: str = ""
    """The data of the event, as a JSON object."""
    from_: str = ""
    """The path of the state before, such as `live.idle`. Empty if the instance began."""
    to: str = ""
    """The path of the state after."""
    effects: List[str] = _field(default_factory=list)
    """The kinds of the effects it requested, in order."""
    facts: List[str] = _field(default_factory=list)
    """The kinds of the facts it published."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("seq", "seq", "int64", False, False),
        Field("machine", "machine", "string", False, False),
        Field("subject_id", "subjectId", "string", False, False),
        Field("at", "at", "string", False, False),
        Field("event", "event", "string", False, False),
        Field("event_detail", "eventDetail", "string", False, False),
        Field("from_", "from", "string", False, False),
        Field("to", "to", "string", False, False),
        Field("effects", "effects", "string", True, False),
        Field("facts", "facts", "string", True, False),
    )



@dataclass
class Prospect(Message):
    """fact.v1.Prospect"""

    event: str = ""
    """The type of the event."""
    sample: str = ""
    """The sample event that was tried, as a JSON object: its data may decide its effect."""
    accepted: bool = False
    """Whether the machine accepts it now. If not, only `refusedBy` is set."""
    to: str = ""
    """The path of the state it would lead to."""
    effects: List[str] = _field(default_factory=list)
    """The kinds of the effects it would request, in order."""
    facts: List[str] = _field(default_factory=list)
    """The kinds of the facts it would publish."""
    refused_by: List[str] = _field(default_factory=list)
    """The guards that refuse it."""
    changes: List[ContextChange] = _field(default_factory=list)
    """What would change in the machine’s context."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("event", "event", "string", False, False),
        Field("sample", "sample", "string", False, False),
        Field("accepted", "accepted", "bool", False, False),
        Field("to", "to", "string", False, False),
        Field("effects", "effects", "string", True, False),
        Field("facts", "facts", "string", True, False),
        Field("refused_by", "refusedBy", "string", True, False),
        Field("changes", "changes", lambda: ContextChange, True, False),
    )



@dataclass
class ContextChange(Message):
    """fact.v1.ContextChange"""

    path: str = ""
    """The path of the value in the context, such as `checkout.branch`."""
    before: str = ""
    """The value as JSON, cut after 1,000 characters. Empty if there was none."""
    after: str = ""
    """The value afterwards, likewise. Empty if there is none."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("path", "path", "string", False, False),
        Field("before", "before", "string", False, False),
        Field("after", "after", "string", False, False),
    )



@dataclass
class GetMachineChartRequest(Message):
    """fact.v1.GetMachineChartRequest"""

    name: str = ""
    """Which machine, such as `agent` or `schedule`."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
    )



@dataclass
class GetMachineChartResponse(Message):
    """fact.v1.GetMachineChartResponse"""

    chart: Optional[Chart] = None
    """The laid-out chart of the machine."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("chart", "chart", lambda: Chart, False, True),
    )



@dataclass
class Chart(Message):
    """fact.v1.Chart"""

    name: str = ""
    """The machine that it shows, such as `agent`."""
    hash: str = ""
    """Changes whenever the machine’s definition does."""
    width: int = 0
    """Its width in pixels."""
    height: int = 0
    """Its height in pixels."""
    nodes: List[ChartNode] = _field(default_factory=list)
    """The states and their positions."""
    edges: List[ChartEdge] = _field(default_factory=list)
    """The arrows between states."""
    anywhere: List[str] = _field(default_factory=list)
    """Events that every state handles without leaving it, each as `EVENT [guard]`."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("hash", "hash", "string", False, False),
        Field("width", "width", "int32", False, False),
        Field("height", "height", "int32", False, False),
        Field("nodes", "nodes", lambda: ChartNode, True, False),
        Field("edges", "edges", lambda: ChartEdge, True, False),
        Field("anywhere", "anywhere", "string", True, False),
    )



@dataclass
class ChartNode(Message):
    """fact.v1.ChartNode"""

    id: str = ""
    """The path of the state, such as `live.idle`."""
    label: str = ""
    """The text drawn in it."""
    kind: str = ""
    """`state`, `group` (which contains states) or `final`."""
    initial: bool = False
    """Whether it is the initial state of its group."""
    stays: List[str] = _field(default_factory=list)
    """Events that it handles without leaving it, each as `EVENT [guard]`."""
    parent: str = ""
    """The id of the surrounding group. Empty for the outermost."""
    x: int = 0
    """Its left edge, in pixels from the chart’s left edge."""
    y: int = 0
    """Its top edge, in pixels from the chart’s top edge."""
    width: int = 0
    """Its width in pixels."""
    height: int = 0
    """Its height in pixels."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("label", "label", "string", False, False),
        Field("kind", "kind", "string", False, False),
        Field("initial", "initial", "bool", False, False),
        Field("stays", "stays", "string", True, False),
        Field("parent", "parent", "string", False, False),
        Field("x", "x", "int32", False, False),
        Field("y", "y", "int32", False, False),
        Field("width", "width", "int32", False, False),
        Field("height", "height", "int32", False, False),
    )



@dataclass
class ChartEdge(Message):
    """fact.v1.ChartEdge"""

    id: str = ""
    """The id of the arrow within the chart."""
    from_: str = ""
    """The id of the node where it starts."""
    to: str = ""
    """The id of the node where it ends."""
    labels: List[str] = _field(default_factory=list)
    """One line for each transition: `EVENT [guard]`, or `at once [guard]`."""
    events: List[str] = _field(default_factory=list)
    """The types of its events. Empty for a transition without an event."""
    points: List[ChartPoint] = _field(default_factory=list)
    """Its points from start to end, including its bends."""
    label_at: Optional[ChartPoint] = None
    """The top left corner of its labels."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("from_", "from", "string", False, False),
        Field("to", "to", "string", False, False),
        Field("labels", "labels", "string", True, False),
        Field("events", "events", "string", True, False),
        Field("points", "points", lambda: ChartPoint, True, False),
        Field("label_at", "labelAt", lambda: ChartPoint, False, True),
    )



@dataclass
class ChartPoint(Message):
    """fact.v1.ChartPoint"""

    x: int = 0
    """Pixels from the left edge of the chart."""
    y: int = 0
    """Pixels from the top edge of the chart."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("x", "x", "int32", False, False),
        Field("y", "y", "int32", False, False),
    )



@dataclass
class ListLivesRequest(Message):
    """fact.v1.ListLivesRequest"""

    machine: str = ""
    """Which machine, such as `agent` or `schedule`."""
    words: str = ""
    """Each word must occur in the name, the id or the state."""
    state: str = ""
    """Only instances in this state or group of states, such as `live.idle` or `live`."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("machine", "machine", "string", False, False),
        Field("words", "words", "string", False, False),
        Field("state", "state", "string", False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListLivesResponse(Message):
    """fact.v1.ListLivesResponse"""

    lives: List[MachineSubject] = _field(default_factory=list)
    """One page of instances, newest first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    total: int = 0
    """How many there are in all. Set only on the first page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("lives", "lives", lambda: MachineSubject, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
        Field("total", "total", "int32", False, False),
    )



@dataclass
class MachineSubject(Message):
    """fact.v1.MachineSubject"""

    id: str = ""
    """The id of the instance: of an agent, a schedule, a firing and so on."""
    name: str = ""
    """The name of the instance."""
    state: str = ""
    """The path of its state."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("state", "state", "string", False, False),
    )



@dataclass
class ListTransitionsRequest(Message):
    """fact.v1.ListTransitionsRequest"""

    machine: str = ""
    """Which machine, such as `agent` or `schedule`."""
    subject_id: str = ""
    """Only transitions of this instance. Unset: all."""
    cursor: str = ""
    """nextPageToken of the last answer. Unset: the first page."""
    page_size: int = 0
    """Rows per page, at most 200. Unset: 50."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("machine", "machine", "string", False, False),
        Field("subject_id", "subjectId", "string", False, False),
        Field("cursor", "cursor", "string", False, False),
        Field("page_size", "pageSize", "int32", False, False),
    )



@dataclass
class ListTransitionsResponse(Message):
    """fact.v1.ListTransitionsResponse"""

    transitions: List[Transition] = _field(default_factory=list)
    """One page, newest first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("transitions", "transitions", lambda: Transition, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class SurveyMachineRequest(Message):
    """fact.v1.SurveyMachineRequest"""

    name: str = ""
    """Which machine, such as `agent` or `schedule`."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
    )



@dataclass
class SurveyMachineResponse(Message):
    """fact.v1.SurveyMachineResponse"""

    counts: List[StateCount] = _field(default_factory=list)
    """The number of instances in each state."""
    subjects: List[MachineSubject] = _field(default_factory=list)
    """The newest instances, at most 100."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("counts", "counts", lambda: StateCount, True, False),
        Field("subjects", "subjects", lambda: MachineSubject, True, False),
    )



@dataclass
class StateCount(Message):
    """fact.v1.StateCount"""

    state: str = ""
    """The path of the state, such as `live.idle`."""
    count: int = 0
    """How many instances are in it."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("state", "state", "string", False, False),
        Field("count", "count", "int32", False, False),
    )



@dataclass
class WatchTransitionsRequest(Message):
    """fact.v1.WatchTransitionsRequest"""

    machine: str = ""
    """Only transitions of this machine, such as `agent`. Unset: all."""
    subject_id: str = ""
    """Only transitions of this instance. Unset: all."""
    cursor: str = ""
    """cursor of the last answer. Unset: from now on; `0`: from the oldest kept."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("machine", "machine", "string", False, False),
        Field("subject_id", "subjectId", "string", False, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class WatchTransitionsResponse(Message):
    """fact.v1.WatchTransitionsResponse"""

    transitions: List[Transition] = _field(default_factory=list)
    """The transitions since the cursor, oldest first."""
    cursor: str = ""
    """Pass it back as cursor to continue from here. Valid across restarts."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("transitions", "transitions", lambda: Transition, True, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class GetNotifyRequest(Message):
    """fact.v1.GetNotifyRequest"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class GetNotifyResponse(Message):
    """fact.v1.GetNotifyResponse"""

    notify: Optional[shared.Notify] = None
    """The person’s own setting, for every workflow."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("notify", "notify", lambda: shared.Notify, False, True),
    )



@dataclass
class TestNotifyRequest(Message):
    """fact.v1.TestNotifyRequest"""

    workflow_id: str = ""
    """Test this workflow’s own webhook and command. Unset: the person’s."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
    )



@dataclass
class TestNotifyResponse(Message):
    """fact.v1.TestNotifyResponse"""

    results: List[NotifyResult] = _field(default_factory=list)
    """The result of each."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("results", "results", lambda: NotifyResult, True, False),
    )



@dataclass
class NotifyResult(Message):
    """fact.v1.NotifyResult"""

    through: str = ""
    """`webhook` or `command`."""
    failure: str = ""
    """Why it failed. Empty if it succeeded."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("through", "through", "string", False, False),
        Field("failure", "failure", "string", False, False),
    )



@dataclass
class UpdateNotifyRequest(Message):
    """fact.v1.UpdateNotifyRequest"""

    notify: Optional[shared.Notify] = None
    """The whole setting. An omitted field is cleared."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("notify", "notify", lambda: shared.Notify, False, True),
    )



@dataclass
class UpdateNotifyResponse(Message):
    """fact.v1.UpdateNotifyResponse"""

    notify: Optional[shared.Notify] = None
    """The new setting."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("notify", "notify", lambda: shared.Notify, False, True),
    )
