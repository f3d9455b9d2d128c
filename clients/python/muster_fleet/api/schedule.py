# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
from . import shared


class ScheduleRunState(str, Enum):
    """schedule.v1.ScheduleRunState"""

    UNSPECIFIED = "SCHEDULE_RUN_STATE_UNSPECIFIED"
    """No state; never sent."""
    AVAILABLE = "SCHEDULE_RUN_STATE_AVAILABLE"
    """It waits for a worker."""
    PENDING = "SCHEDULE_RUN_STATE_PENDING"
    """It is held back until something releases it."""
    SCHEDULED = "SCHEDULE_RUN_STATE_SCHEDULED"
    """It becomes available later."""
    RUNNING = "SCHEDULE_RUN_STATE_RUNNING"
    """It is being worked on."""
    RETRYABLE = "SCHEDULE_RUN_STATE_RETRYABLE"
    """An attempt failed, and it waits for the next one."""
    COMPLETED = "SCHEDULE_RUN_STATE_COMPLETED"
    """It launched its agent."""
    CANCELLED = "SCHEDULE_RUN_STATE_CANCELLED"
    """It was skipped on purpose; `message` says why."""
    DISCARDED = "SCHEDULE_RUN_STATE_DISCARDED"
    """It ran out of attempts; `message` holds the last error."""



class MissedPolicy(str, Enum):
    """schedule.v1.MissedPolicy"""

    UNSPECIFIED = "MISSED_POLICY_UNSPECIFIED"
    """Not given: as MISSED_POLICY_RUN_ONCE."""
    RUN_ONCE = "MISSED_POLICY_RUN_ONCE"
    """All missed occurrences run once, together."""
    RUN_ALL = "MISSED_POLICY_RUN_ALL"
    """Each missed occurrence runs."""
    SKIP = "MISSED_POLICY_SKIP"
    """Missed occurrences do not run."""



class OverlapPolicy(str, Enum):
    """schedule.v1.OverlapPolicy"""

    UNSPECIFIED = "OVERLAP_POLICY_UNSPECIFIED"
    """Not given: as OVERLAP_POLICY_ALLOW."""
    ALLOW = "OVERLAP_POLICY_ALLOW"
    """It launches its agent anyway."""
    SKIP = "OVERLAP_POLICY_SKIP"
    """It is skipped."""
    WAIT = "OVERLAP_POLICY_WAIT"
    """It waits until that agent has finished."""



@dataclass
class CancelScheduleRunRequest(Message):
    """schedule.v1.CancelScheduleRunRequest"""

    run_id: int = 0
    """The id of the firing, from list_schedule_runs."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("run_id", "runId", "int64", False, False),
    )



@dataclass
class CancelScheduleRunResponse(Message):
    """schedule.v1.CancelScheduleRunResponse"""

    run: Optional[ScheduleRun] = None
    """The firing after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("run", "run", lambda: ScheduleRun, False, True),
    )



@dataclass
class ScheduleRun(Message):
    """schedule.v1.ScheduleRun"""

    id: int = 0
    """The id of the firing. Newer firings have higher numbers."""
    scheduled_for: Optional[datetime] = None
    """The occurrence of the cron expression that it is for: RFC 3339, UTC."""
    state: Union[ScheduleRunState, str] = ScheduleRunState.UNSPECIFIED
    """Whether it waits, runs or has ended."""
    attempt: int = 0
    """The number of the current attempt, from one. 0 before the first."""
    max_attempts: int = 0
    """How many attempts it gets before it is discarded."""
    finalized_at: Optional[datetime] = None
    """When it finished: RFC 3339, UTC. Unset until then."""
    message: str = ""
    """Why it was skipped, how its last attempt failed, or what each host lacks while it waits for one.
    Empty once it has launched."""
    agent_id: str = ""
    """The agent that it launched. Unset until then."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "int64", False, False),
        Field("scheduled_for", "scheduledFor", "timestamp", False, True),
        Field("state", "state", lambda: ScheduleRunState, False, False),
        Field("attempt", "attempt", "int32", False, False),
        Field("max_attempts", "maxAttempts", "int32", False, False),
        Field("finalized_at", "finalizedAt", "timestamp", False, True),
        Field("message", "message", "string", False, False),
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class CreateScheduleRequest(Message):
    """schedule.v1.CreateScheduleRequest"""

    name: str = ""
    """Its name, unique among schedules. At most 200 characters."""
    cron: str = ""
    """When it fires: five fields, from minute to day of week, in `timezone`."""
    timezone: str = ""
    """The time zone of `cron` by its IANA name, such as `Europe/Berlin`. Empty: the registry’s own."""
    prompt: str = ""
    """The prompt of every agent it launches."""
    workflow_id: str = ""
    """The workflow that its agents are launched into, which decides their directory and flags."""
    hide_agents: bool = False
    """Whether people’s lists omit its agents while they run."""
    missed: Union[MissedPolicy, str] = MissedPolicy.UNSPECIFIED
    """What happens to occurrences that passed while muster was not running or no host was available."""
    catch_up_seconds: int = 0
    """How late a missed occurrence may still run, in seconds. Default: a day."""
    overlap: Union[OverlapPolicy, str] = OverlapPolicy.UNSPECIFIED
    """What happens to a firing while an agent of an earlier one is still working."""
    jitter_seconds: int = 0
    """The maximum delay of a launch after its occurrence, in seconds. Each schedule has its own fixed
    delay within it."""
    max_attempts: int = 0
    """How many attempts a firing gets before it is discarded. Default: 3."""
    pause_after_failures: int = 0
    """After how many discarded firings in a row it is paused. Unset: never."""
    paused: bool = False
    """Whether it starts paused."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What separates its agents from their host. Unset: as the workflow says."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("cron", "cron", "string", False, False),
        Field("timezone", "timezone", "string", False, False),
        Field("prompt", "prompt", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("hide_agents", "hideAgents", "bool", False, False),
        Field("missed", "missed", lambda: MissedPolicy, False, False),
        Field("catch_up_seconds", "catchUpSeconds", "int32", False, False),
        Field("overlap", "overlap", lambda: OverlapPolicy, False, False),
        Field("jitter_seconds", "jitterSeconds", "int32", False, False),
        Field("max_attempts", "maxAttempts", "int32", False, False),
        Field("pause_after_failures", "pauseAfterFailures", "int32", False, False),
        Field("paused", "paused", "bool", False, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
    )



@dataclass
class CreateScheduleResponse(Message):
    """schedule.v1.CreateScheduleResponse"""

    schedule: Optional[Schedule] = None
    """The new schedule."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule", "schedule", lambda: Schedule, False, True),
    )



@dataclass
class Schedule(Message):
    """schedule.v1.Schedule"""

    id: str = ""
    """The id of the schedule in every other call: `sch_` and a ULID."""
    name: str = ""
    """Its name, unique among schedules. At most 200 characters."""
    cron: str = ""
    """When it fires: five fields, from minute to day of week, in `timezone`."""
    timezone: str = ""
    """The time zone of `cron` by its IANA name, such as `Europe/Berlin`. Empty: the registry’s own."""
    enabled: bool = False
    """Whether it fires. False while it is paused."""
    hide_agents: bool = False
    """Whether people’s lists omit its agents while they run."""
    prompt: str = ""
    """The prompt of every agent it launches, or only its opening when `promptTruncated` is true."""
    workflow_id: str = ""
    """The workflow that its agents are launched into, which decides their directory and flags."""
    next_run_at: Optional[datetime] = None
    """When it fires next: RFC 3339, UTC. Unset while paused."""
    prompt_truncated: bool = False
    """Whether `prompt` holds only its first 200 characters."""
    latest_run: Optional[ScheduleRun] = None
    """Its newest firing on record. Unset if there is none."""
    recent_runs: List[ScheduleRun] = _field(default_factory=list)
    """Its newest firings, newest first. Filled only by watch_schedules."""
    missed: Union[MissedPolicy, str] = MissedPolicy.UNSPECIFIED
    """What happens to occurrences that passed while muster was not running or no host was available."""
    catch_up_seconds: int = 0
    """How late a missed occurrence may still run, in seconds. Default: a day."""
    overlap: Union[OverlapPolicy, str] = OverlapPolicy.UNSPECIFIED
    """What happens to a firing while an agent of an earlier one is still working."""
    jitter_seconds: int = 0
    """The maximum delay of a launch after its occurrence, in seconds. Each schedule has its own fixed
    delay within it."""
    max_attempts: int = 0
    """How many attempts a firing gets before it is discarded. Default: 3."""
    pause_after_failures: int = 0
    """After how many discarded firings in a row it is paused. Unset: never."""
    paused_reason: str = ""
    """Why it is paused. Empty while it fires."""
    created_at: str = ""
    """When it was created: RFC 3339, UTC."""
    updated_at: str = ""
    """When it was last changed: RFC 3339, UTC."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What separates its agents from their host. Unset: as the workflow says."""
    paused_by_failures: bool = False
    """Whether failed firings paused it, and not a person."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("cron", "cron", "string", False, False),
        Field("timezone", "timezone", "string", False, False),
        Field("enabled", "enabled", "bool", False, False),
        Field("hide_agents", "hideAgents", "bool", False, False),
        Field("prompt", "prompt", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("next_run_at", "nextRunAt", "timestamp", False, True),
        Field("prompt_truncated", "promptTruncated", "bool", False, False),
        Field("latest_run", "latestRun", lambda: ScheduleRun, False, True),
        Field("recent_runs", "recentRuns", lambda: ScheduleRun, True, False),
        Field("missed", "missed", lambda: MissedPolicy, False, False),
        Field("catch_up_seconds", "catchUpSeconds", "int32", False, False),
        Field("overlap", "overlap", lambda: OverlapPolicy, False, False),
        Field("jitter_seconds", "jitterSeconds", "int32", False, False),
        Field("max_attempts", "maxAttempts", "int32", False, False),
        Field("pause_after_failures", "pauseAfterFailures", "int32", False, False),
        Field("paused_reason", "pausedReason", "string", False, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("updated_at", "updatedAt", "string", False, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
        Field("paused_by_failures", "pausedByFailures", "bool", False, False),
    )



@dataclass
class DeleteScheduleRequest(Message):
    """schedule.v1.DeleteScheduleRequest"""

    schedule_id: str = ""
    """The schedule, by its id: `sch_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
    )



@dataclass
class DeleteScheduleResponse(Message):
    """schedule.v1.DeleteScheduleResponse"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class FireScheduleRequest(Message):
    """schedule.v1.FireScheduleRequest"""

    schedule_id: str = ""
    """The schedule, by its id: `sch_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
    )



@dataclass
class FireScheduleResponse(Message):
    """schedule.v1.FireScheduleResponse"""

    run: Optional[ScheduleRun] = None
    """The new firing."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("run", "run", lambda: ScheduleRun, False, True),
    )



@dataclass
class GetScheduleRequest(Message):
    """schedule.v1.GetScheduleRequest"""

    schedule_id: str = ""
    """The schedule, by its id: `sch_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
    )



@dataclass
class GetScheduleResponse(Message):
    """schedule.v1.GetScheduleResponse"""

    schedule: Optional[Schedule] = None
    """The schedule with its whole prompt."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule", "schedule", lambda: Schedule, False, True),
    )



@dataclass
class ListComingFiringsRequest(Message):
    """schedule.v1.ListComingFiringsRequest"""

    schedule_id: str = ""
    """Only this schedule. Unset: every one that is not paused."""
    cron: str = ""
    """An expression to try out, instead of a schedule."""
    timezone: str = ""
    """The time zone of `cron` by its IANA name. Unset: the registry’s own."""
    days: int = 0
    """How far to look ahead, in days. Unset: 7."""
    limit: int = 0
    """Times per schedule, at most 200. Unset: 50."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
        Field("cron", "cron", "string", False, False),
        Field("timezone", "timezone", "string", False, False),
        Field("days", "days", "int32", False, False),
        Field("limit", "limit", "int32", False, False),
    )



@dataclass
class ListComingFiringsResponse(Message):
    """schedule.v1.ListComingFiringsResponse"""

    coming: List[ComingFirings] = _field(default_factory=list)
    """The times, schedule by schedule."""
    timezone: str = ""
    """The registry’s own time zone by its IANA name, the default for expressions."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("coming", "coming", lambda: ComingFirings, True, False),
        Field("timezone", "timezone", "string", False, False),
    )



@dataclass
class ComingFirings(Message):
    """schedule.v1.ComingFirings"""

    schedule_id: str = ""
    """The schedule. Unset for an expression to try out."""
    times: List[str] = _field(default_factory=list)
    """When it fires, soonest first: RFC 3339, UTC."""
    more: bool = False
    """Whether more times follow within those days."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
        Field("times", "times", "string", True, False),
        Field("more", "more", "bool", False, False),
    )



@dataclass
class ListScheduleRunsRequest(Message):
    """schedule.v1.ListScheduleRunsRequest"""

    schedule_id: str = ""
    """The schedule, by its id: `sch_` and a ULID."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListScheduleRunsResponse(Message):
    """schedule.v1.ListScheduleRunsResponse"""

    runs: List[ScheduleRun] = _field(default_factory=list)
    """One page, newest first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("runs", "runs", lambda: ScheduleRun, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class ListSchedulesRequest(Message):
    """schedule.v1.ListSchedulesRequest"""

    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    view: Union[shared.View, str] = shared.View.UNSPECIFIED
    """Whether long texts are cut to their opening or whole. Unset: cut."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
        Field("view", "view", lambda: shared.View, False, False),
    )



@dataclass
class ListSchedulesResponse(Message):
    """schedule.v1.ListSchedulesResponse"""

    schedules: List[Schedule] = _field(default_factory=list)
    """One page, most recently updated first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedules", "schedules", lambda: Schedule, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class PauseScheduleRequest(Message):
    """schedule.v1.PauseScheduleRequest"""

    schedule_id: str = ""
    """The schedule, by its id: `sch_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
    )



@dataclass
class PauseScheduleResponse(Message):
    """schedule.v1.PauseScheduleResponse"""

    schedule: Optional[Schedule] = None
    """The schedule after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule", "schedule", lambda: Schedule, False, True),
    )



@dataclass
class ResumeScheduleRequest(Message):
    """schedule.v1.ResumeScheduleRequest"""

    schedule_id: str = ""
    """The schedule, by its id: `sch_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
    )



@dataclass
class ResumeScheduleResponse(Message):
    """schedule.v1.ResumeScheduleResponse"""

    schedule: Optional[Schedule] = None
    """The schedule after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule", "schedule", lambda: Schedule, False, True),
    )



@dataclass
class RetryScheduleRunRequest(Message):
    """schedule.v1.RetryScheduleRunRequest"""

    run_id: int = 0
    """The id of the firing, from list_schedule_runs."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("run_id", "runId", "int64", False, False),
    )



@dataclass
class RetryScheduleRunResponse(Message):
    """schedule.v1.RetryScheduleRunResponse"""

    run: Optional[ScheduleRun] = None
    """The firing after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("run", "run", lambda: ScheduleRun, False, True),
    )



@dataclass
class UpdateScheduleRequest(Message):
    """schedule.v1.UpdateScheduleRequest"""

    schedule_id: str = ""
    """The schedule, by its id: `sch_` and a ULID."""
    name: str = ""
    """Its name, unique among schedules. At most 200 characters."""
    cron: str = ""
    """When it fires: five fields, from minute to day of week, in `timezone`."""
    timezone: str = ""
    """The time zone of `cron` by its IANA name, such as `Europe/Berlin`. Empty: the registry’s own."""
    prompt: str = ""
    """The prompt of every agent it launches."""
    workflow_id: str = ""
    """The workflow that its agents are launched into, which decides their directory and flags."""
    hide_agents: Optional[bool] = None
    """Whether people’s lists omit its agents while they run."""
    missed: Union[MissedPolicy, str] = MissedPolicy.UNSPECIFIED
    """What happens to occurrences that passed while muster was not running or no host was available."""
    catch_up_seconds: int = 0
    """How late a missed occurrence may still run, in seconds. Default: a day."""
    overlap: Union[OverlapPolicy, str] = OverlapPolicy.UNSPECIFIED
    """What happens to a firing while an agent of an earlier one is still working."""
    jitter_seconds: int = 0
    """The maximum delay of a launch after its occurrence, in seconds. Each schedule has its own fixed
    delay within it."""
    max_attempts: int = 0
    """How many attempts a firing gets before it is discarded. Default: 3."""
    pause_after_failures: int = 0
    """After how many discarded firings in a row it is paused. Unset: never."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What separates its agents from their host. Unset: as the workflow says."""
    clear: List[str] = _field(default_factory=list)
    """Fields to reset to their defaults, by name. A field that is also given is set instead."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule_id", "scheduleId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("cron", "cron", "string", False, False),
        Field("timezone", "timezone", "string", False, False),
        Field("prompt", "prompt", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("hide_agents", "hideAgents", "bool", False, True),
        Field("missed", "missed", lambda: MissedPolicy, False, False),
        Field("catch_up_seconds", "catchUpSeconds", "int32", False, False),
        Field("overlap", "overlap", lambda: OverlapPolicy, False, False),
        Field("jitter_seconds", "jitterSeconds", "int32", False, False),
        Field("max_attempts", "maxAttempts", "int32", False, False),
        Field("pause_after_failures", "pauseAfterFailures", "int32", False, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
        Field("clear", "clear", "string", True, False),
    )



@dataclass
class UpdateScheduleResponse(Message):
    """schedule.v1.UpdateScheduleResponse"""

    schedule: Optional[Schedule] = None
    """The schedule after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedule", "schedule", lambda: Schedule, False, True),
    )



@dataclass
class WatchSchedulesRequest(Message):
    """schedule.v1.WatchSchedulesRequest"""

    cursor: str = ""
    """cursor of the last answer. Unset: first everything as it is now."""
    view: Union[shared.View, str] = shared.View.UNSPECIFIED
    """Whether long texts are cut to their opening or whole. Unset: cut."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("cursor", "cursor", "string", False, False),
        Field("view", "view", lambda: shared.View, False, False),
    )



@dataclass
class WatchSchedulesResponse(Message):
    """schedule.v1.WatchSchedulesResponse"""

    schedules: List[Schedule] = _field(default_factory=list)
    """Those that changed, with their newest firings; first all."""
    gone_schedule_ids: List[str] = _field(default_factory=list)
    """Ids of schedules that were deleted."""
    cursor: str = ""
    """Pass it back as cursor to continue from here. Valid across restarts."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("schedules", "schedules", lambda: Schedule, True, False),
        Field("gone_schedule_ids", "goneScheduleIds", "string", True, False),
        Field("cursor", "cursor", "string", False, False),
    )
