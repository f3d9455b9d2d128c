# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
from . import budget, fact, forge, shared


class AgentRole(str, Enum):
    """agent.v1.AgentRole"""

    UNSPECIFIED = "AGENT_ROLE_UNSPECIFIED"
    """Not given: the role of its workflow."""
    IMPLEMENTER = "AGENT_ROLE_IMPLEMENTER"
    """Does work of its own, usually in its own worktree and branch."""
    REVIEWER = "AGENT_ROLE_REVIEWER"
    """Reviews the work of its parent."""
    ORCHESTRATOR = "AGENT_ROLE_ORCHESTRATOR"
    """Launches and follows other agents, and has no children."""



class AgentState(str, Enum):
    """agent.v1.AgentState"""

    UNSPECIFIED = "AGENT_STATE_UNSPECIFIED"
    """No state; never sent."""
    IDLE = "AGENT_STATE_IDLE"
    """Its pane is at rest, with nothing typed."""
    THINKING = "AGENT_STATE_THINKING"
    """Its CLI is working on a turn."""
    WAITING = "AGENT_STATE_WAITING"
    """Its CLI waits for a person to answer a question."""
    SETTING_UP = "AGENT_STATE_SETTING_UP"
    """It is being launched and has no pane to read yet."""
    FAILED_TO_CREATE = "AGENT_STATE_FAILED_TO_CREATE"
    """Its launch failed. `stateReason` says why, and retry_agent continues it."""
    FAILED_TO_CLEANUP = "AGENT_STATE_FAILED_TO_CLEANUP"
    """Its deletion failed to remove the worktree. `stateReason` says what prevents it."""
    UNCERTAIN = "AGENT_STATE_UNCERTAIN"
    """Its pane was read, but no rule matched, or the screen is ambiguous."""



class ReviewTreeStanding(str, Enum):
    """agent.v1.ReviewTreeStanding"""

    UNSPECIFIED = "REVIEW_TREE_STANDING_UNSPECIFIED"
    """The worktree equals the round, or was not measured."""
    MOVED = "REVIEW_TREE_STANDING_MOVED"
    """The worktree differs from the round, and the base does not contain the round."""
    LANDED = "REVIEW_TREE_STANDING_LANDED"
    """The base contains the whole round, and the worktree has nothing beyond the base."""
    LANDED_MOVED = "REVIEW_TREE_STANDING_LANDED_MOVED"
    """The base contains the whole round, and the worktree has new work on top of the base."""



class AgentEndingKind(str, Enum):
    """agent.v1.AgentEndingKind"""

    UNSPECIFIED = "AGENT_ENDING_KIND_UNSPECIFIED"
    """Not known: an older host found it."""
    EXITED = "AGENT_ENDING_KIND_EXITED"
    """Its process exited."""
    KILLED = "AGENT_ENDING_KIND_KILLED"
    """A signal ended its process, as when memory is short."""
    SHELL = "AGENT_ENDING_KIND_SHELL"
    """It exited to a shell, which has its window now."""
    WINDOW_CLOSED = "AGENT_ENDING_KIND_WINDOW_CLOSED"
    """Its window was closed."""
    TERMINAL_LOST = "AGENT_ENDING_KIND_TERMINAL_LOST"
    """The tmux server ended with everything in it."""
    REBOOTED = "AGENT_ENDING_KIND_REBOOTED"
    """The computer was restarted."""
    LIMIT = "AGENT_ENDING_KIND_LIMIT"
    """It was ended because it used more than its workflow allows."""



class ParkReason(str, Enum):
    """agent.v1.ParkReason"""

    UNSPECIFIED = "PARK_REASON_UNSPECIFIED"
    """Not given; never stored."""
    USAGE_LIMIT = "PARK_REASON_USAGE_LIMIT"
    """Its account has reached its usage limit."""
    CREDENTIAL = "PARK_REASON_CREDENTIAL"
    """The credential of its account is not accepted: a person must sign in."""
    PERSON = "PARK_REASON_PERSON"
    """A person or an orchestrator parked it."""



class NotCopiedReason(str, Enum):
    """agent.v1.NotCopiedReason"""

    UNSPECIFIED = "NOT_COPIED_REASON_UNSPECIFIED"
    """No reason; never sent."""
    LARGE = "NOT_COPIED_REASON_LARGE"
    """With it, the copied ignored files would exceed 20,000 or 200 MB."""
    REPOSITORY = "NOT_COPIED_REASON_REPOSITORY"
    """It is a Git repository of its own, or a submodule without a commit."""
    UNREADABLE = "NOT_COPIED_REASON_UNREADABLE"
    """muster may not read it."""



class ReviewVerdict(str, Enum):
    """agent.v1.ReviewVerdict"""

    UNSPECIFIED = "REVIEW_VERDICT_UNSPECIFIED"
    """There is no verdict."""
    APPROVED = "REVIEW_VERDICT_APPROVED"
    """The round is good as it is."""
    CHANGES_REQUESTED = "REVIEW_VERDICT_CHANGES_REQUESTED"
    """The agent should keep working."""
    COMMENTED = "REVIEW_VERDICT_COMMENTED"
    """Notes without a conclusion."""



class ReviewAuthorKind(str, Enum):
    """agent.v1.ReviewAuthorKind"""

    UNSPECIFIED = "REVIEW_AUTHOR_KIND_UNSPECIFIED"
    """Unknown; never sent."""
    HUMAN = "REVIEW_AUTHOR_KIND_HUMAN"
    """The person who runs the service."""
    AGENT = "REVIEW_AUTHOR_KIND_AGENT"
    """The agent under review, or its reviewer."""



class ReviewLauncherKind(str, Enum):
    """agent.v1.ReviewLauncherKind"""

    UNSPECIFIED = "REVIEW_LAUNCHER_KIND_UNSPECIFIED"
    """Unknown."""
    HUMAN = "REVIEW_LAUNCHER_KIND_HUMAN"
    """A person."""
    SCHEDULE = "REVIEW_LAUNCHER_KIND_SCHEDULE"
    """A schedule, when it fired."""
    AGENT = "REVIEW_LAUNCHER_KIND_AGENT"
    """Another agent."""



class ReviewNotCounting(str, Enum):
    """agent.v1.ReviewNotCounting"""

    UNSPECIFIED = "REVIEW_NOT_COUNTING_UNSPECIFIED"
    """The verdict counts."""
    LAUNCHED_BY_ITSELF = "REVIEW_NOT_COUNTING_LAUNCHED_BY_ITSELF"
    """The agent under review, or a child of it, launched the reviewer or the reviewer’s launcher."""
    LAUNCHED_BY_AGENT = "REVIEW_NOT_COUNTING_LAUNCHED_BY_AGENT"
    """An agent launched it, and not an orchestrator that a person or a schedule launched."""
    LAUNCHER_GONE = "REVIEW_NOT_COUNTING_LAUNCHER_GONE"
    """The reviewer, or an agent in the chain of its launch, was deleted, so its origin cannot be
    checked."""
    NO_CODING_AGENT = "REVIEW_NOT_COUNTING_NO_CODING_AGENT"
    """Its harness is not a coding agent but, for example, a shell, which only repeats its input."""



class ExplanationSource(str, Enum):
    """agent.v1.ExplanationSource"""

    UNSPECIFIED = "EXPLANATION_SOURCE_UNSPECIFIED"
    """Unknown; never sent."""
    LIVE = "EXPLANATION_SOURCE_LIVE"
    """The pane, as just read."""
    RECORD = "EXPLANATION_SOURCE_RECORD"
    """The last transition on record."""



class AnswerKind(str, Enum):
    """agent.v1.AnswerKind"""

    UNSPECIFIED = "ANSWER_KIND_UNSPECIFIED"
    """There is no question."""
    KEY = "ANSWER_KIND_KEY"
    """With keys, each of which acts at once."""
    LINE = "ANSWER_KIND_LINE"
    """With a line that Enter sends."""
    SECRET = "ANSWER_KIND_SECRET"
    """With such a line that must not be shown: a password."""



class AgentOutcome(str, Enum):
    """agent.v1.AgentOutcome"""

    UNSPECIFIED = "AGENT_OUTCOME_UNSPECIFIED"
    """Not given; never sent."""
    FINISHED = "AGENT_OUTCOME_FINISHED"
    """It finished a turn: it came to rest after work."""
    ENDED = "AGENT_OUTCOME_ENDED"
    """Its CLI ended, alone or with its terminal."""
    FAILED = "AGENT_OUTCOME_FAILED"
    """Its launch or clean-up failed."""
    WAITS = "AGENT_OUTCOME_WAITS"
    """It waits for a person."""
    GONE = "AGENT_OUTCOME_GONE"
    """It was archived or deleted."""
    OVER_BUDGET = "AGENT_OUTCOME_OVER_BUDGET"
    """It rests, and a budget that is used up holds it until a person continues that."""



class MailState(str, Enum):
    """agent.v1.MailState"""

    UNSPECIFIED = "MAIL_STATE_UNSPECIFIED"
    """No state; never sent."""
    ACCEPTED = "MAIL_STATE_ACCEPTED"
    """It is stored, and will not be lost."""
    RUNG = "MAIL_STATE_RUNG"
    """Its recipient’s doorbell rang for it."""
    TAKEN = "MAIL_STATE_TAKEN"
    """Its recipient has taken it."""



class MailBox(str, Enum):
    """agent.v1.MailBox"""

    UNSPECIFIED = "MAIL_BOX_UNSPECIFIED"
    """Not given: as MAIL_BOX_INBOX."""
    INBOX = "MAIL_BOX_INBOX"
    """Mail to the agent."""
    SENT = "MAIL_BOX_SENT"
    """Mail from the agent."""



class DoorbellState(str, Enum):
    """agent.v1.DoorbellState"""

    UNSPECIFIED = "DOORBELL_STATE_UNSPECIFIED"
    """No state; never sent."""
    RAISED = "DOORBELL_STATE_RAISED"
    """Waiting to ring."""
    RUNG = "DOORBELL_STATE_RUNG"
    """It rang, and the agent has not claimed it yet."""
    CLAIMED = "DOORBELL_STATE_CLAIMED"
    """The agent claimed it."""
    DROPPED = "DOORBELL_STATE_DROPPED"
    """Withdrawn because the agent ended."""



class DoorbellCause(str, Enum):
    """agent.v1.DoorbellCause"""

    UNSPECIFIED = "DOORBELL_CAUSE_UNSPECIFIED"
    """No cause; never sent."""
    MAIL = "DOORBELL_CAUSE_MAIL"
    """Mail waits to be taken."""
    REVIEW = "DOORBELL_CAUSE_REVIEW"
    """A review was released, or a new round waits for its reviewer."""
    RESULT = "DOORBELL_CAUSE_RESULT"
    """An agent that it launched finished, failed or waits for a person."""



class ReviewLeftOutReason(str, Enum):
    """agent.v1.ReviewLeftOutReason"""

    UNSPECIFIED = "REVIEW_LEFT_OUT_REASON_UNSPECIFIED"
    """No reason; never sent."""
    LARGE = "REVIEW_LEFT_OUT_REASON_LARGE"
    """It is larger than the limit for one file."""
    BUDGET = "REVIEW_LEFT_OUT_REASON_BUDGET"
    """The round has reached its limit for all files."""
    REPOSITORY = "REVIEW_LEFT_OUT_REASON_REPOSITORY"
    """It is a Git repository of its own."""
    SUBMODULE = "REVIEW_LEFT_OUT_REASON_SUBMODULE"
    """It is a submodule, of which only the commit is recorded."""
    UNREADABLE = "REVIEW_LEFT_OUT_REASON_UNREADABLE"
    """It could not be read."""



class ReviewFileChange(str, Enum):
    """agent.v1.ReviewFileChange"""

    UNSPECIFIED = "REVIEW_FILE_CHANGE_UNSPECIFIED"
    """No change; never sent."""
    ADDED = "REVIEW_FILE_CHANGE_ADDED"
    """The file is new."""
    DELETED = "REVIEW_FILE_CHANGE_DELETED"
    """The file is gone."""
    MODIFIED = "REVIEW_FILE_CHANGE_MODIFIED"
    """Its content or its mode differs."""
    RENAMED = "REVIEW_FILE_CHANGE_RENAMED"
    """It has another path, and perhaps other content."""
    TYPE_CHANGED = "REVIEW_FILE_CHANGE_TYPE_CHANGED"
    """It is now another kind of file, such as a symbolic link."""



class ReviewFileOmission(str, Enum):
    """agent.v1.ReviewFileOmission"""

    UNSPECIFIED = "REVIEW_FILE_OMISSION_UNSPECIFIED"
    """Nothing is left out."""
    BINARY = "REVIEW_FILE_OMISSION_BINARY"
    """The file is not text."""
    LARGE = "REVIEW_FILE_OMISSION_LARGE"
    """The file or its patch is too large to show."""



class ReviewDeliveryState(str, Enum):
    """agent.v1.ReviewDeliveryState"""

    UNSPECIFIED = "REVIEW_DELIVERY_STATE_UNSPECIFIED"
    """No state; never sent."""
    UNSENT = "REVIEW_DELIVERY_STATE_UNSENT"
    """Written, but not released yet."""
    SENT = "REVIEW_DELIVERY_STATE_SENT"
    """Released, but the agent has not claimed the doorbell yet."""
    DELIVERED = "REVIEW_DELIVERY_STATE_DELIVERED"
    """Released, and the agent has claimed the doorbell."""



class ReviewPlaceState(str, Enum):
    """agent.v1.ReviewPlaceState"""

    UNSPECIFIED = "REVIEW_PLACE_STATE_UNSPECIFIED"
    """Not determined."""
    STILL = "REVIEW_PLACE_STATE_STILL"
    """The lines are where they were."""
    MOVED = "REVIEW_PLACE_STATE_MOVED"
    """The lines are elsewhere, or in another file."""
    CHANGED = "REVIEW_PLACE_STATE_CHANGED"
    """Other lines are there now."""
    GONE = "REVIEW_PLACE_STATE_GONE"
    """The file is gone."""



class ReviewState(str, Enum):
    """agent.v1.ReviewState"""

    UNSPECIFIED = "REVIEW_STATE_UNSPECIFIED"
    """No state; never sent."""
    OPEN = "REVIEW_STATE_OPEN"
    """It is being written, and only its author sees it."""
    RELEASED = "REVIEW_STATE_RELEASED"
    """The agent can read it."""
    DISCARDED = "REVIEW_STATE_DISCARDED"
    """Its author discarded it."""



@dataclass
class CreateAgentRequest(Message):
    """agent.v1.CreateAgentRequest"""

    prompt: str = ""
    """The briefing it starts with."""
    title: str = ""
    """Its name. Unset: muster chooses one."""
    dir: str = ""
    """Start directory, absolute or beginning with `~`. Unset: the workflow’s."""
    flags: str = ""
    """Flags of its CLI. Unset: the workflow’s, or none if `harness` is not the workflow’s."""
    workflow_id: str = ""
    """Workflow to launch into. It sets directory, flags and context."""
    harness: str = ""
    """Its CLI. Unset: the workflow’s."""
    idempotency_key: str = ""
    """Any word of yours for this call. A repeat with it returns the first result."""
    provision_enabled: Optional[bool] = None
    """Whether it gets a worktree. false: it runs in the directory itself. Unset: as the workflow says."""
    parent_agent_id: str = ""
    """Its parent. Unset: none."""
    role: Union[AgentRole, str] = AgentRole.UNSPECIFIED
    """Its role. Unset: as the workflow says."""
    host: str = ""
    """Its host. An id or a name. Unset: the workflow’s, or muster chooses."""
    host_selector: List[str] = _field(default_factory=list)
    """Labels of its host: `gpu=yes`. It waits until a host has all of them; `name=build-2` is a host’s
    name. Unset: the workflow’s, unless `host` is set."""
    ring_on_result: bool = False
    """Ring your doorbell at its outcome. That is when it finishes, ends, fails or waits for a person."""
    with_changes: bool = False
    """Start with what is uncommitted in `dir`. Its worktree starts from the commit of `dir`, with
    changed, untracked and ignored files and submodules; of ignored files the smallest first, up to
    20,000 and 200 MB in all. Unset: from the workflow’s base branch."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """Its isolation. Unset: as the workflow says."""
    profile_id: str = ""
    """Its profile. Unset: the workflow’s for people, your own for agents."""
    result_schema: str = ""
    """JSON Schema that its result must fit, as JSON text. Unset: it may report any text."""
    budget_turns: int = 0
    """Turns that it may begin in a day. Then it is held until a person continues it. Unset: any."""
    budget_work_minutes: int = 0
    """Minutes that it may work in a day. Then it is held the same way. Unset: any."""
    clear: List[str] = _field(default_factory=list)
    """Fields to leave empty."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("prompt", "prompt", "string", False, False),
        Field("title", "title", "string", False, False),
        Field("dir", "dir", "string", False, False),
        Field("flags", "flags", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("harness", "harness", "string", False, False),
        Field("idempotency_key", "idempotencyKey", "string", False, False),
        Field("provision_enabled", "provisionEnabled", "bool", False, True),
        Field("parent_agent_id", "parentAgentId", "string", False, False),
        Field("role", "role", lambda: AgentRole, False, False),
        Field("host", "host", "string", False, False),
        Field("host_selector", "hostSelector", "string", True, False),
        Field("ring_on_result", "ringOnResult", "bool", False, False),
        Field("with_changes", "withChanges", "bool", False, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
        Field("profile_id", "profileId", "string", False, False),
        Field("result_schema", "resultSchema", "string", False, False),
        Field("budget_turns", "budgetTurns", "int32", False, False),
        Field("budget_work_minutes", "budgetWorkMinutes", "int32", False, False),
        Field("clear", "clear", "string", True, False),
    )



@dataclass
class CreateAgentResponse(Message):
    """agent.v1.CreateAgentResponse"""

    agent: Optional[Agent] = None
    """The launched agent, or the one that the same idempotencyKey launched before."""
    left_behind: Optional[LeftBehind] = None
    """What is in its directory and will not be in its worktree. Unset: nothing, it gets no worktree,
    or it could not be determined in time."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
        Field("left_behind", "leftBehind", lambda: LeftBehind, False, True),
    )



@dataclass
class Agent(Message):
    """agent.v1.Agent"""

    id: str = ""
    """The id of the agent in every other call and in mail: `agt_` and a ULID."""
    name: str = ""
    """Its name, also that of its window. Unique among agents that are not archived."""
    cwd: str = ""
    """The absolute path of the directory it runs in: its own worktree, if it has one."""
    flags: str = ""
    """The flags that its CLI was started with."""
    prompt: str = ""
    """The whole launch briefing, or only its opening when `promptTruncated` is true."""
    pane_id: str = ""
    """The pane its CLI runs in, as tmux numbers it, such as `%3`. Unset without a pane."""
    state: Union[AgentState, str] = AgentState.UNSPECIFIED
    """What the service last decided that it is doing, from the tail of its pane."""
    session_id: str = ""
    """The id of the CLI’s own conversation, which a restore resumes. Unset until the CLI reports it."""
    harness: str = ""
    """Which CLI it runs, such as `claude` or `shell`."""
    workflow_id: str = ""
    """The workflow it belongs to, whose context it was launched with."""
    created_at: str = ""
    """When it was launched: RFC 3339, UTC."""
    archived_at: str = ""
    """When it was archived: RFC 3339, UTC. Unset if it is not."""
    schedule_id: str = ""
    """The schedule that launched it. Unset if a person or an agent did."""
    alive: bool = False
    """Whether its pane exists. Unset while its host is lost, because it is unknown then."""
    metadata: List[AgentMetadata] = _field(default_factory=list)
    """Facts that it recorded about its own work, such as the ticket it implements."""
    idempotency_key: str = ""
    """The key of the call that created it. A repeat of that call returns this agent."""
    spawned_by_agent_id: str = ""
    """The agent that created it. Unset if a person or a schedule did."""
    parent_agent_id: str = ""
    """The agent it is a child of. Unset for a top-level agent."""
    branch: str = ""
    """The Git branch its worktree is on. Unset without a worktree."""
    repository_url: str = ""
    """Web address of the repository its checkout pushes to. Unset if `origin` is on no forge."""
    head_sha: str = ""
    """The commit that is checked out, in hexadecimal. Unset if Git cannot read it."""
    worktree_removed: bool = False
    """Whether its worktree has been removed. Its record stays."""
    sequence_in_progress: bool = False
    """Whether a merge, rebase or cherry-pick is in progress in its checkout."""
    failed_run: bool = False
    """Whether a script that ran for it failed and nobody has acknowledged the failure."""
    failed_run_log: int = 0
    """The id of the failed run, as get_run_log takes it. Unset unless `failedRun` is true."""
    state_changed_at: str = ""
    """When `state` last changed: RFC 3339, UTC."""
    reported_reason: str = ""
    """What its own CLI last reported. It does not change `state`."""
    role: Union[AgentRole, str] = AgentRole.UNSPECIFIED
    """What it was launched to do, which decides its part of the briefing and its tools."""
    prompt_truncated: bool = False
    """Whether `prompt` holds only its first 200 characters."""
    tree_standing: Union[ReviewTreeStanding, str] = ReviewTreeStanding.UNSPECIFIED
    """How its worktree compared with the round of `treeStandingSha` when last measured."""
    tree_standing_sha: str = ""
    """Snapshot commit of the round that `treeStanding` was measured against. Unset before any
    measurement."""
    moved_since_round: str = ""
    """Snapshot commit of its newest round, while its worktree differs from it. Unset otherwise."""
    held_at: str = ""
    """When a person took it over: RFC 3339, UTC. Unset while nobody holds it."""
    state_reason: str = ""
    """Why its launch or clean-up failed, or what else its pane shows."""
    host_id: str = ""
    """The host it was placed on: `hst_` and a ULID. Unset while it waits to be placed."""
    waiting_for: str = ""
    """The question on its screen, on one line of at most 200 characters. Empty unless it waits."""
    last_known_at: str = ""
    """When `state` was last known, if its host is lost: RFC 3339, UTC. Unset otherwise."""
    host_removed_at: str = ""
    """When a person removed its host: RFC 3339, UTC. Unset otherwise."""
    task: str = ""
    """The first line of its prompt, without the workflow’s context and the role’s part: at most 200
    characters."""
    diff: Optional[DiffSize] = None
    """How much its own worktree, with uncommitted files, differed from its base when last measured.
    Unset if it has no worktree or nothing differs."""
    deleting: bool = False
    """Whether it is being deleted."""
    refused_deletion: str = ""
    """Why its last deletion was refused. Unset once it continues to work, or is deleted, archived or
    restored."""
    fault: Optional[AgentFault] = None
    """Details of `stateReason`, if something failed with output. Unset otherwise."""
    ended_at: str = ""
    """When its host found that its CLI had ended: RFC 3339, UTC. Unset while it runs or is archived."""
    window_lost: bool = False
    """Whether its CLI ended because its terminal did, as after a crash or restart of the computer:
    restore_agent resumes it."""
    turns: int = 0
    """How many turns its CLI has finished: how often it worked and then came to rest. Unset if it is
    older than the count."""
    harness_version: str = ""
    """The version that its CLI reported at start, such as `2.1.329`. Unset if it reported none."""
    asks_unseen: bool = False
    """Whether its CLI reports a question for a person that its screen does not show: a person should
    look."""
    queued: bool = False
    """Whether it waits to be placed: no host takes it yet. `stateReason` says why, and its place in
    the queue."""
    moving_to: str = ""
    """The name of the host that it moves to, or is to move to once it is at rest. Unset otherwise."""
    failed_move: str = ""
    """Why its last move to another host failed. Unset once it moves again, and if it did not fail."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What separates it from its host. Unset: nothing."""
    refused_connections: List[str] = _field(default_factory=list)
    """Destinations that its isolation has refused since its window was opened, such as
    `example.com:443`: the newest 20."""
    ending: Optional[AgentEnding] = None
    """How its CLI ended. Unset while it runs and has its window."""
    result_at: str = ""
    """When it last reported a result, which get_result returns: RFC 3339, UTC. Unset: never."""
    disk_bytes: int = 0
    """How much disk its own worktree takes, in bytes, with ignored files and without what links lead
    to. Unset: not measured yet."""
    disk_measured_at: str = ""
    """When that was measured, about once an hour: RFC 3339, UTC."""
    over_budget: Optional[budget.SpentBudget] = None
    """The budget that is used up, so that muster types nothing to it until a person continues it.
    Unset otherwise."""
    park: Optional[Park] = None
    """Why and until when it is parked. Unset if it is not."""
    failed_run_fault: Optional[AgentFault] = None
    """How that run failed, without its output. Unset unless `failedRun` is true."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("cwd", "cwd", "string", False, False),
        Field("flags", "flags", "string", False, False),
        Field("prompt", "prompt", "string", False, False),
        Field("pane_id", "paneId", "string", False, False),
        Field("state", "state", lambda: AgentState, False, False),
        Field("session_id", "sessionId", "string", False, False),
        Field("harness", "harness", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("archived_at", "archivedAt", "string", False, False),
        Field("schedule_id", "scheduleId", "string", False, False),
        Field("alive", "alive", "bool", False, False),
        Field("metadata", "metadata", lambda: AgentMetadata, True, False),
        Field("idempotency_key", "idempotencyKey", "string", False, False),
        Field("spawned_by_agent_id", "spawnedByAgentId", "string", False, False),
        Field("parent_agent_id", "parentAgentId", "string", False, False),
        Field("branch", "branch", "string", False, False),
        Field("repository_url", "repositoryUrl", "string", False, False),
        Field("head_sha", "headSha", "string", False, False),
        Field("worktree_removed", "worktreeRemoved", "bool", False, False),
        Field("sequence_in_progress", "sequenceInProgress", "bool", False, False),
        Field("failed_run", "failedRun", "bool", False, False),
        Field("failed_run_log", "failedRunLog", "int32", False, False),
        Field("state_changed_at", "stateChangedAt", "string", False, False),
        Field("reported_reason", "reportedReason", "string", False, False),
        Field("role", "role", lambda: AgentRole, False, False),
        Field("prompt_truncated", "promptTruncated", "bool", False, False),
        Field("tree_standing", "treeStanding", lambda: ReviewTreeStanding, False, False),
        Field("tree_standing_sha", "treeStandingSha", "string", False, False),
        Field("moved_since_round", "movedSinceRound", "string", False, False),
        Field("held_at", "heldAt", "string", False, False),
        Field("state_reason", "stateReason", "string", False, False),
        Field("host_id", "hostId", "string", False, False),
        Field("waiting_for", "waitingFor", "string", False, False),
        Field("last_known_at", "lastKnownAt", "string", False, False),
        Field("host_removed_at", "hostRemovedAt", "string", False, False),
        Field("task", "task", "string", False, False),
        Field("diff", "diff", lambda: DiffSize, False, True),
        Field("deleting", "deleting", "bool", False, False),
        Field("refused_deletion", "refusedDeletion", "string", False, False),
        Field("fault", "fault", lambda: AgentFault, False, True),
        Field("ended_at", "endedAt", "string", False, False),
        Field("window_lost", "windowLost", "bool", False, False),
        Field("turns", "turns", "int32", False, False),
        Field("harness_version", "harnessVersion", "string", False, False),
        Field("asks_unseen", "asksUnseen", "bool", False, False),
        Field("queued", "queued", "bool", False, False),
        Field("moving_to", "movingTo", "string", False, False),
        Field("failed_move", "failedMove", "string", False, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
        Field("refused_connections", "refusedConnections", "string", True, False),
        Field("ending", "ending", lambda: AgentEnding, False, True),
        Field("result_at", "resultAt", "string", False, False),
        Field("disk_bytes", "diskBytes", "int64", False, False),
        Field("disk_measured_at", "diskMeasuredAt", "string", False, False),
        Field("over_budget", "overBudget", lambda: budget.SpentBudget, False, True),
        Field("park", "park", lambda: Park, False, True),
        Field("failed_run_fault", "failedRunFault", lambda: AgentFault, False, True),
    )



@dataclass
class AgentMetadata(Message):
    """agent.v1.AgentMetadata"""

    key: str = ""
    """What the fact is about, such as `ticket`: at most 100 letters, digits and `. _ : / -`."""
    value: str = ""
    """The fact, at most 2,000 characters."""
    recorded_at: str = ""
    """When the agent last recorded it: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("key", "key", "string", False, False),
        Field("value", "value", "string", False, False),
        Field("recorded_at", "recordedAt", "string", False, False),
    )



@dataclass
class DiffSize(Message):
    """agent.v1.DiffSize"""

    files_changed: int = 0
    """How many files differ, including new and removed ones."""
    additions: int = 0
    """How many lines were added. Binary files count none."""
    deletions: int = 0
    """How many lines were removed. Binary files count none."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("files_changed", "filesChanged", "int32", False, False),
        Field("additions", "additions", "int32", False, False),
        Field("deletions", "deletions", "int32", False, False),
    )



@dataclass
class AgentFault(Message):
    """agent.v1.AgentFault"""

    summary: str = ""
    """What failed and how, such as `preparing: the setup script ended with 1`."""
    error_line: str = ""
    """The line of `output` that best explains the failure, at most 200 printable characters. It is a
    guess: do not base decisions on it."""
    output: str = ""
    """The end of the script’s output, or the last rows of the CLI’s screen."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("summary", "summary", "string", False, False),
        Field("error_line", "errorLine", "string", False, False),
        Field("output", "output", "string", False, False),
    )



@dataclass
class AgentEnding(Message):
    """agent.v1.AgentEnding"""

    kind: Union[AgentEndingKind, str] = AgentEndingKind.UNSPECIFIED
    """How it ended."""
    exit_status: int = 0
    """The exit status of its process. Unset if it left none, and if it is 0."""
    signal: str = ""
    """The signal that ended its process, such as `SIGKILL`. Unset without one."""
    exceeded: str = ""
    """The limit that it exceeded, such as `512 MiB of memory`. Unset without one."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("kind", "kind", lambda: AgentEndingKind, False, False),
        Field("exit_status", "exitStatus", "int32", False, False),
        Field("signal", "signal", "string", False, False),
        Field("exceeded", "exceeded", "string", False, False),
    )



@dataclass
class Park(Message):
    """agent.v1.Park"""

    reason: Union[ParkReason, str] = ParkReason.UNSPECIFIED
    """Why it is parked."""
    since: str = ""
    """Since when: RFC 3339, UTC."""
    until: str = ""
    """When its screen is read again: RFC 3339, UTC. Unset: a person ends it."""
    account: str = ""
    """The account, as in `work, claude on build-2`. Unset if a person parked this agent alone."""
    resume: Optional[bool] = None
    """Whether it is asked to continue at that time, if its screen still shows the limit."""
    shown_until: str = ""
    """The end that its screen shows, if that is more than 8 days ahead, which is too far to rely on:
    RFC 3339, UTC."""
    end_unknown: bool = False
    """Whether its screen shows no end of the limit: the screen is read again at growing intervals, and
    nothing is typed."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("reason", "reason", lambda: ParkReason, False, False),
        Field("since", "since", "string", False, False),
        Field("until", "until", "string", False, False),
        Field("account", "account", "string", False, False),
        Field("resume", "resume", "bool", False, True),
        Field("shown_until", "shownUntil", "string", False, False),
        Field("end_unknown", "endUnknown", "bool", False, False),
    )



@dataclass
class LeftBehind(Message):
    """agent.v1.LeftBehind"""

    changed: Optional[NamedPaths] = None
    """Tracked files with uncommitted changes."""
    untracked: Optional[NamedPaths] = None
    """Untracked files that are not ignored."""
    ignored: Optional[NamedPaths] = None
    """Ignored files. A folder that is ignored as a whole counts once."""
    submodules: Optional[NamedPaths] = None
    """Submodules that are checked out."""
    not_copied: List[NotCopied] = _field(default_factory=list)
    """With `withChanges`: what is not copied, the largest first, at most ten."""
    not_copied_count: int = 0
    """How many paths are not copied."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("changed", "changed", lambda: NamedPaths, False, True),
        Field("untracked", "untracked", lambda: NamedPaths, False, True),
        Field("ignored", "ignored", lambda: NamedPaths, False, True),
        Field("submodules", "submodules", lambda: NamedPaths, False, True),
        Field("not_copied", "notCopied", lambda: NotCopied, True, False),
        Field("not_copied_count", "notCopiedCount", "int32", False, False),
    )



@dataclass
class NamedPaths(Message):
    """agent.v1.NamedPaths"""

    count: int = 0
    """How many there are."""
    names: List[str] = _field(default_factory=list)
    """The first three, relative to the checkout."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("count", "count", "int32", False, False),
        Field("names", "names", "string", True, False),
    )



@dataclass
class NotCopied(Message):
    """agent.v1.NotCopied"""

    path: str = ""
    """The file or folder, relative to the checkout. A folder ends in a slash."""
    reason: Union[NotCopiedReason, str] = NotCopiedReason.UNSPECIFIED
    """Why it is not copied."""
    bytes: int = 0
    """Its size in bytes, as far as it could be counted in time. Set only if it is too large."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("path", "path", "string", False, False),
        Field("reason", "reason", lambda: NotCopiedReason, False, False),
        Field("bytes", "bytes", "int64", False, False),
    )



@dataclass
class ListAgentsRequest(Message):
    """agent.v1.ListAgentsRequest"""

    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    archived: bool = False
    """true: only archived agents. Unset: all others."""
    view: Union[shared.View, str] = shared.View.UNSPECIFIED
    """Whether long texts are cut to their opening or whole. Unset: cut."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
        Field("archived", "archived", "bool", False, False),
        Field("view", "view", lambda: shared.View, False, False),
    )



@dataclass
class ListAgentsResponse(Message):
    """agent.v1.ListAgentsResponse"""

    agents: List[AgentRow] = _field(default_factory=list)
    """One page, most recently updated first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agents", "agents", lambda: AgentRow, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class AgentRow(Message):
    """agent.v1.AgentRow"""

    agent: Optional[Agent] = None
    """The agent itself."""
    mark: str = ""
    """The letter, a to z, by which a person finds it. Empty if it has none."""
    unread_mail: bool = False
    """Whether it has mail that it has not taken."""
    pull_request: Optional[forge.PullRequestStanding] = None
    """The state of its branch’s pull request. Unset if its checkout pushes to no confirmed repository."""
    pull_requests: List[forge.PullRequest] = _field(default_factory=list)
    """All pull requests from its branch, the current one first."""
    local_review_rounds: int = 0
    """How many rounds of review its work has had."""
    local_review_verdict: Union[ReviewVerdict, str] = ReviewVerdict.UNSPECIFIED
    """The newest verdict that counts: of a person, or of a coding agent launched to review by a
    person, a schedule or an orchestrator."""
    local_review_tree: Union[ReviewTreeStanding, str] = ReviewTreeStanding.UNSPECIFIED
    """How its worktree compares with the round that `localReviewVerdict` is about."""
    unread_mail_count: int = 0
    """How many mails it has not taken."""
    doorbell_raised_at: str = ""
    """Since when it has an unclaimed doorbell: RFC 3339, UTC. Unset without one."""
    doorbell_rung_at: str = ""
    """When that doorbell rang: RFC 3339, UTC. Unset until then."""
    account: str = ""
    """The account that its CLI uses, as its profile names it. Unset without one."""
    hidden: bool = False
    """Whether people’s lists omit it, as its schedule demands."""
    unread_review_threads: int = 0
    """How many review threads of its work have an answer that no person has read."""
    unconfirmed_repository_url: str = ""
    """The repository it pushes to, while that awaits confirm_repository and is not read. Unset
    otherwise."""
    local_review_conclusion: Optional[ReviewConclusion] = None
    """Who gave `localReviewVerdict`, and who launched that reviewer."""
    uncounted_review_conclusion: Optional[ReviewConclusion] = None
    """A newer verdict that does not count, and why. Unset if the newest one counts."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
        Field("mark", "mark", "string", False, False),
        Field("unread_mail", "unreadMail", "bool", False, False),
        Field("pull_request", "pullRequest", lambda: forge.PullRequestStanding, False, True),
        Field("pull_requests", "pullRequests", lambda: forge.PullRequest, True, False),
        Field("local_review_rounds", "localReviewRounds", "int32", False, False),
        Field("local_review_verdict", "localReviewVerdict", lambda: ReviewVerdict, False, False),
        Field("local_review_tree", "localReviewTree", lambda: ReviewTreeStanding, False, False),
        Field("unread_mail_count", "unreadMailCount", "int32", False, False),
        Field("doorbell_raised_at", "doorbellRaisedAt", "string", False, False),
        Field("doorbell_rung_at", "doorbellRungAt", "string", False, False),
        Field("account", "account", "string", False, False),
        Field("hidden", "hidden", "bool", False, False),
        Field("unread_review_threads", "unreadReviewThreads", "int32", False, False),
        Field("unconfirmed_repository_url", "unconfirmedRepositoryUrl", "string", False, False),
        Field("local_review_conclusion", "localReviewConclusion", lambda: ReviewConclusion, False, True),
        Field("uncounted_review_conclusion", "uncountedReviewConclusion", lambda: ReviewConclusion, False, True),
    )



@dataclass
class ReviewConclusion(Message):
    """agent.v1.ReviewConclusion"""

    review_id: str = ""
    """The review that reached it."""
    verdict: Union[ReviewVerdict, str] = ReviewVerdict.UNSPECIFIED
    """What the review concluded."""
    author_kind: Union[ReviewAuthorKind, str] = ReviewAuthorKind.UNSPECIFIED
    """Whether a person or an agent wrote it."""
    author_agent_id: str = ""
    """The reviewing agent, even if it is gone now. Unset for a person."""
    author_name: str = ""
    """The name of the reviewing agent at the time."""
    launcher: Optional[ReviewLauncher] = None
    """Who launched the reviewing agent. Unset for a person."""
    not_counting: Union[ReviewNotCounting, str] = ReviewNotCounting.UNSPECIFIED
    """Why the verdict does not count. Unset if it does."""
    released_at: str = ""
    """When it was released: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("review_id", "reviewId", "string", False, False),
        Field("verdict", "verdict", lambda: ReviewVerdict, False, False),
        Field("author_kind", "authorKind", lambda: ReviewAuthorKind, False, False),
        Field("author_agent_id", "authorAgentId", "string", False, False),
        Field("author_name", "authorName", "string", False, False),
        Field("launcher", "launcher", lambda: ReviewLauncher, False, True),
        Field("not_counting", "notCounting", lambda: ReviewNotCounting, False, False),
        Field("released_at", "releasedAt", "string", False, False),
    )



@dataclass
class ReviewLauncher(Message):
    """agent.v1.ReviewLauncher"""

    kind: Union[ReviewLauncherKind, str] = ReviewLauncherKind.UNSPECIFIED
    """Whether a person, a schedule or an agent launched the reviewer."""
    agent_id: str = ""
    """The launching agent, even if it is gone now. Unset if no agent launched it."""
    name: str = ""
    """The name of that agent or schedule at the time."""
    schedule_id: str = ""
    """The launching schedule. Unset if none launched it."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("kind", "kind", lambda: ReviewLauncherKind, False, False),
        Field("agent_id", "agentId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("schedule_id", "scheduleId", "string", False, False),
    )



@dataclass
class ArchiveAgentRequest(Message):
    """agent.v1.ArchiveAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class ArchiveAgentResponse(Message):
    """agent.v1.ArchiveAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class AttachAgentRequest(Message):
    """agent.v1.AttachAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    read_only: bool = False
    """Has no effect."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("read_only", "readOnly", "bool", False, False),
    )



@dataclass
class AttachAgentResponse(Message):
    """agent.v1.AttachAgentResponse"""

    command: List[str] = _field(default_factory=list)
    """Always empty."""
    host_id: str = ""
    """The host of its window."""
    host_name: str = ""
    """What people call that host."""
    family: str = ""
    """The id of the first agent of its family, which names the tmux server."""
    window_id: str = ""
    """The id that tmux gave the window, such as `@3`."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("command", "command", "string", True, False),
        Field("host_id", "hostId", "string", False, False),
        Field("host_name", "hostName", "string", False, False),
        Field("family", "family", "string", False, False),
        Field("window_id", "windowId", "string", False, False),
    )



@dataclass
class DeleteAgentRequest(Message):
    """agent.v1.DeleteAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    force: bool = False
    """Whether to delete it even if work would be lost. A last snapshot is kept."""
    abandon: bool = False
    """Whether to abandon it with its lost host, where nothing is closed or removed."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("force", "force", "bool", False, False),
        Field("abandon", "abandon", "bool", False, False),
    )



@dataclass
class DeleteAgentResponse(Message):
    """agent.v1.DeleteAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    given_up: List[str] = _field(default_factory=list)
    """What was given up with an abandoned agent, item by item."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
        Field("given_up", "givenUp", "string", True, False),
    )



@dataclass
class FindAgentRequest(Message):
    """agent.v1.FindAgentRequest"""

    called: str = ""
    """Its id, name or mark, or the beginning of its name or id. An id needs at least five characters.
    An exact match comes before a beginning, and the beginning of a name before that of an id."""
    archived_first: bool = False
    """Whether archived agents come before others. Unset: after them."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("called", "called", "string", False, False),
        Field("archived_first", "archivedFirst", "bool", False, False),
    )



@dataclass
class FindAgentResponse(Message):
    """agent.v1.FindAgentResponse"""

    agent: Optional[AgentRow] = None
    """The agent’s row, with its whole prompt."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: AgentRow, False, True),
    )



@dataclass
class GetAgentRequest(Message):
    """agent.v1.GetAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class GetAgentResponse(Message):
    """agent.v1.GetAgentResponse"""

    agent: Optional[AgentRow] = None
    """The agent’s row, with its whole prompt."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: AgentRow, False, True),
    )



@dataclass
class IssueAgentTokenRequest(Message):
    """agent.v1.IssueAgentTokenRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class IssueAgentTokenResponse(Message):
    """agent.v1.IssueAgentTokenResponse"""

    token: str = ""
    """The token, a secret. It is shown only here."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("token", "token", "string", False, False),
    )



@dataclass
class MarkAgentRequest(Message):
    """agent.v1.MarkAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    mark: str = ""
    """The letter, a to z. Empty clears the mark."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("mark", "mark", "string", False, False),
    )



@dataclass
class MarkAgentResponse(Message):
    """agent.v1.MarkAgentResponse"""

    agent: Optional[AgentRow] = None
    """The agent’s row after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: AgentRow, False, True),
    )



@dataclass
class RenameAgentRequest(Message):
    """agent.v1.RenameAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    name: str = ""
    """Its new name, unique among agents that are not archived."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("name", "name", "string", False, False),
    )



@dataclass
class RenameAgentResponse(Message):
    """agent.v1.RenameAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class RestoreAgentRequest(Message):
    """agent.v1.RestoreAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    in_turn: bool = False
    """Whether an agent that lost its window with its terminal waits until few others start on its
    host. The answer then shows it as it waits."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("in_turn", "inTurn", "bool", False, False),
    )



@dataclass
class RestoreAgentResponse(Message):
    """agent.v1.RestoreAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class RetryAgentRequest(Message):
    """agent.v1.RetryAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    with_current_workflow: bool = False
    """true: with its workflow’s current scripts, copied files, variables, tools and flags. Unset: with
    those of its launch."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("with_current_workflow", "withCurrentWorkflow", "bool", False, False),
    )



@dataclass
class RetryAgentResponse(Message):
    """agent.v1.RetryAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class WatchAgentsRequest(Message):
    """agent.v1.WatchAgentsRequest"""

    cursor: str = ""
    """cursor of the last answer. Unset: first everything as it is now."""
    view: Union[shared.View, str] = shared.View.UNSPECIFIED
    """Whether long texts are cut to their opening or whole. Unset: cut."""
    fact_kinds: List[str] = _field(default_factory=list)
    """Kinds such as `mail.sent`, or prefixes such as `review.`. Empty: no facts."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("cursor", "cursor", "string", False, False),
        Field("view", "view", lambda: shared.View, False, False),
        Field("fact_kinds", "factKinds", "string", True, False),
    )



@dataclass
class WatchAgentsResponse(Message):
    """agent.v1.WatchAgentsResponse"""

    agents: List[AgentRow] = _field(default_factory=list)
    """Rows that changed, as they are now; first all rows."""
    gone_agent_ids: List[str] = _field(default_factory=list)
    """Ids of agents that were deleted or abandoned since the cursor."""
    cursor: str = ""
    """Pass it back as cursor to continue from here. Valid across restarts."""
    facts: List[fact.Fact] = _field(default_factory=list)
    """Facts of those kinds, in the order of the log, without gaps. Events that are not stored come
    only while you watch."""
    facts_forgotten: bool = False
    """Whether facts since the cursor were pruned: read again whatever they may have changed."""
    more: bool = False
    """Whether the next answer follows at once: this one does not have everything until now."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agents", "agents", lambda: AgentRow, True, False),
        Field("gone_agent_ids", "goneAgentIds", "string", True, False),
        Field("cursor", "cursor", "string", False, False),
        Field("facts", "facts", lambda: fact.Fact, True, False),
        Field("facts_forgotten", "factsForgotten", "bool", False, False),
        Field("more", "more", "bool", False, False),
    )



@dataclass
class HoldAgentRequest(Message):
    """agent.v1.HoldAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class HoldAgentResponse(Message):
    """agent.v1.HoldAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class UnholdAgentRequest(Message):
    """agent.v1.UnholdAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class UnholdAgentResponse(Message):
    """agent.v1.UnholdAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class ParkAgentRequest(Message):
    """agent.v1.ParkAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    until: Optional[datetime] = None
    """When it ends: RFC 3339. Unset: unpark_agent ends it."""
    resume: Optional[bool] = None
    """Whether it is asked to continue then, if its screen still shows a limit."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("until", "until", "timestamp", False, True),
        Field("resume", "resume", "bool", False, True),
    )



@dataclass
class ParkAgentResponse(Message):
    """agent.v1.ParkAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class UnparkAgentRequest(Message):
    """agent.v1.UnparkAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    whole_account: bool = False
    """Whether all agents of its account are unparked, and firings with it start."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("whole_account", "wholeAccount", "bool", False, False),
    )



@dataclass
class UnparkAgentResponse(Message):
    """agent.v1.UnparkAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class MoveAgentRequest(Message):
    """agent.v1.MoveAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    host: str = ""
    """The host, by id or name. Unset: the one with the fewest agents that can take it."""
    dir: str = ""
    """The directory there, absolute or `~`-prefixed: a checkout of its repository. Unset: the same
    path; if nothing is there, a repository is made from what is carried."""
    from_last_round: bool = False
    """true: it moves from a lost host with what its last review round had, and mayBeMissing says what
    it may lack."""
    cancel: bool = False
    """true: it does not move, or returns if it has left already. An agent that does not move does not
    change."""
    gone: bool = False
    """With `cancel`, true: you vouch that nothing of it runs on the host that it moves to, which is
    lost. It returns without waiting for that host to close its window. If it runs there anyway, it
    runs twice."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("host", "host", "string", False, False),
        Field("dir", "dir", "string", False, False),
        Field("from_last_round", "fromLastRound", "bool", False, False),
        Field("cancel", "cancel", "bool", False, False),
        Field("gone", "gone", "bool", False, False),
    )



@dataclass
class MoveAgentResponse(Message):
    """agent.v1.MoveAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    not_carried: List[str] = _field(default_factory=list)
    """What is not carried, one sentence each."""
    host_id: str = ""
    """The host that it moves to. Unset if a move was cancelled."""
    may_be_missing: List[str] = _field(default_factory=list)
    """With `fromLastRound`: what the agent may lack, one sentence each."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
        Field("not_carried", "notCarried", "string", True, False),
        Field("host_id", "hostId", "string", False, False),
        Field("may_be_missing", "mayBeMissing", "string", True, False),
    )



@dataclass
class AnswerAgentRequest(Message):
    """agent.v1.AnswerAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    screen_digest: str = ""
    """The screen to answer, from read_pane."""
    keys: List[str] = _field(default_factory=list)
    """Keys to press, in order. Enter sends the text."""
    text: str = ""
    """A line to type first, such as a name or a password. Unset: none. It is not stored."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("screen_digest", "screenDigest", "string", False, False),
        Field("keys", "keys", "string", True, False),
        Field("text", "text", "string", False, False),
    )



@dataclass
class AnswerAgentResponse(Message):
    """agent.v1.AnswerAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    screen_digest: str = ""
    """Identifies the resulting screen."""
    same_question: bool = False
    """Whether that still shows the same question, with another choice or other input."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
        Field("screen_digest", "screenDigest", "string", False, False),
        Field("same_question", "sameQuestion", "bool", False, False),
    )



@dataclass
class InterruptAgentRequest(Message):
    """agent.v1.InterruptAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class InterruptAgentResponse(Message):
    """agent.v1.InterruptAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class PromptAgentRequest(Message):
    """agent.v1.PromptAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    prompt: str = ""
    """Text to type and submit."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("prompt", "prompt", "string", False, False),
    )



@dataclass
class PromptAgentResponse(Message):
    """agent.v1.PromptAgentResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class ExplainAgentRequest(Message):
    """agent.v1.ExplainAgentRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    view: Union[shared.View, str] = shared.View.UNSPECIFIED
    """VIEW_FULL adds the end of its screen to each transition. Unset: without screens."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("view", "view", lambda: shared.View, False, False),
    )



@dataclass
class ExplainAgentResponse(Message):
    """agent.v1.ExplainAgentResponse"""

    agent: Optional[Agent] = None
    """The agent whose state is explained."""
    source: Union[ExplanationSource, str] = ExplanationSource.UNSPECIFIED
    """Whether this comes from the pane or from the record."""
    source_reason: str = ""
    """Why the pane was not read. Empty if it was."""
    read_at: str = ""
    """When the pane was read, or the transition was recorded: RFC 3339, UTC."""
    reading: Optional[PaneReading] = None
    """What was read from the screen, and by which rule."""
    lost: List[LostRule] = _field(default_factory=list)
    """Rules that matched, or failed by one condition, and did not decide."""
    rules: Optional[RuleSet] = None
    """The rules that read its screen."""
    difference: str = ""
    """Why the agent’s state is not yet the one read from its pane. Empty if it is."""
    moves: List[AgentMove] = _field(default_factory=list)
    """Its last transitions, newest first, at most 100."""
    decided_beyond: str = ""
    """What decided its state instead of the screen alone, such as a row that keeps changing or a
    report of its CLI. Empty if the screen decided."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
        Field("source", "source", lambda: ExplanationSource, False, False),
        Field("source_reason", "sourceReason", "string", False, False),
        Field("read_at", "readAt", "string", False, False),
        Field("reading", "reading", lambda: PaneReading, False, True),
        Field("lost", "lost", lambda: LostRule, True, False),
        Field("rules", "rules", lambda: RuleSet, False, True),
        Field("difference", "difference", "string", False, False),
        Field("moves", "moves", lambda: AgentMove, True, False),
        Field("decided_beyond", "decidedBeyond", "string", False, False),
    )



@dataclass
class PaneReading(Message):
    """agent.v1.PaneReading"""

    state: Union[AgentState, str] = AgentState.UNSPECIFIED
    """What the agent is doing, according to its screen."""
    rule: str = ""
    """The id of the rule that decided, or `none`."""
    reason: str = ""
    """The kind of state in a word, such as `permission`."""
    detail: str = ""
    """What the screen adds to the reason, such as when a limit ends."""
    evidence: List[str] = _field(default_factory=list)
    """The rows that the rule matched, and other evidence by name, such as `command: bash`."""
    answer: Union[AnswerKind, str] = AnswerKind.UNSPECIFIED
    """How its question is answered. Unset if there is none."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("state", "state", lambda: AgentState, False, False),
        Field("rule", "rule", "string", False, False),
        Field("reason", "reason", "string", False, False),
        Field("detail", "detail", "string", False, False),
        Field("evidence", "evidence", "string", True, False),
        Field("answer", "answer", lambda: AnswerKind, False, False),
    )



@dataclass
class LostRule(Message):
    """agent.v1.LostRule"""

    rule: str = ""
    """The id of a rule that matched, or failed by one condition, and did not decide."""
    why: str = ""
    """Why it did not decide."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("rule", "rule", "string", False, False),
        Field("why", "why", "string", False, False),
    )



@dataclass
class RuleSet(Message):
    """agent.v1.RuleSet"""

    harness: str = ""
    """The harness whose screens the rules read."""
    version: str = ""
    """Changes whenever the rules do."""
    file: str = ""
    """The file on the agent’s host that changes the rules. Unset without one."""
    faults: List[RuleFileFault] = _field(default_factory=list)
    """Why that file is refused. Empty if it is valid."""
    instead: str = ""
    """Which rules apply instead while the file is refused."""
    recorded_with: str = ""
    """The newest version of the CLI whose screens the rules were recorded with. Unset if unknown."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("harness", "harness", "string", False, False),
        Field("version", "version", "string", False, False),
        Field("file", "file", "string", False, False),
        Field("faults", "faults", lambda: RuleFileFault, True, False),
        Field("instead", "instead", "string", False, False),
        Field("recorded_with", "recordedWith", "string", False, False),
    )



@dataclass
class RuleFileFault(Message):
    """agent.v1.RuleFileFault"""

    line: int = 0
    """The line of the file, counting from one."""
    reason: str = ""
    """What is wrong there."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("line", "line", "int32", False, False),
        Field("reason", "reason", "string", False, False),
    )



@dataclass
class AgentMove(Message):
    """agent.v1.AgentMove"""

    ordinal: int = 0
    """The number of the agent’s transition, counting from one."""
    at: str = ""
    """When the state changed: RFC 3339, UTC."""
    from_: Union[AgentState, str] = AgentState.UNSPECIFIED
    """The state before."""
    to: Union[AgentState, str] = AgentState.UNSPECIFIED
    """The state after."""
    reason: str = ""
    """Why, in words."""
    rule: str = ""
    """The id of the rule that decided. Unset if no pane was read."""
    evidence: List[str] = _field(default_factory=list)
    """The rows that the rule matched, and other evidence by name, such as `command: bash`."""
    harness: str = ""
    """The harness whose rules decided."""
    rules_version: str = ""
    """The version of the rules that decided."""
    screen: Optional[PaneScreen] = None
    """The end of the screen, with SGR escape sequences. Only with VIEW_FULL."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("ordinal", "ordinal", "int32", False, False),
        Field("at", "at", "string", False, False),
        Field("from_", "from", lambda: AgentState, False, False),
        Field("to", "to", lambda: AgentState, False, False),
        Field("reason", "reason", "string", False, False),
        Field("rule", "rule", "string", False, False),
        Field("evidence", "evidence", "string", True, False),
        Field("harness", "harness", "string", False, False),
        Field("rules_version", "rulesVersion", "string", False, False),
        Field("screen", "screen", lambda: PaneScreen, False, True),
    )



@dataclass
class PaneScreen(Message):
    """agent.v1.PaneScreen"""

    text: str = ""
    """The visible rows, one per line, with SGR escape sequences if attributes were requested."""
    title: str = ""
    """The title that the program gave its window."""
    width: int = 0
    """The width in columns."""
    height: int = 0
    """The height in rows."""
    cursor_column: int = 0
    """The column of the cursor, counting from zero."""
    cursor_row: int = 0
    """The row of the cursor, counting from zero."""
    command: str = ""
    """The name of the process in the foreground."""
    program_status: str = ""
    """The payload of the last OSC 7501 sequence."""
    progress: str = ""
    """The payload of the last OSC 9;4 sequence."""
    in_mode: bool = False
    """Whether a person is scrolling in the pane."""
    dead: bool = False
    """Whether the pane’s process has ended."""
    rows_above: int = 0
    """How many rows were above `text`, if only the end of the screen was kept."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("text", "text", "string", False, False),
        Field("title", "title", "string", False, False),
        Field("width", "width", "int32", False, False),
        Field("height", "height", "int32", False, False),
        Field("cursor_column", "cursorColumn", "int32", False, False),
        Field("cursor_row", "cursorRow", "int32", False, False),
        Field("command", "command", "string", False, False),
        Field("program_status", "programStatus", "string", False, False),
        Field("progress", "progress", "string", False, False),
        Field("in_mode", "inMode", "bool", False, False),
        Field("dead", "dead", "bool", False, False),
        Field("rows_above", "rowsAbove", "int32", False, False),
    )



@dataclass
class ReadPaneRequest(Message):
    """agent.v1.ReadPaneRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    attributes: bool = False
    """Whether to include colours and the like as SGR escape sequences."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("attributes", "attributes", "bool", False, False),
    )



@dataclass
class ReadPaneResponse(Message):
    """agent.v1.ReadPaneResponse"""

    screen: Optional[PaneScreen] = None
    """What the pane shows now."""
    screen_digest: str = ""
    """Identifies this screen for answer_agent."""
    reading: Optional[PaneReading] = None
    """What was read from the screen, and by which rule."""
    state: Union[AgentState, str] = AgentState.UNSPECIFIED
    """The agent’s state in lists, which follows the reading."""
    read_at: str = ""
    """When the pane was read: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("screen", "screen", lambda: PaneScreen, False, True),
        Field("screen_digest", "screenDigest", "string", False, False),
        Field("reading", "reading", lambda: PaneReading, False, True),
        Field("state", "state", lambda: AgentState, False, False),
        Field("read_at", "readAt", "string", False, False),
    )



@dataclass
class TypeInPaneRequest(Message):
    """agent.v1.TypeInPaneRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    inputs: List[PaneInput] = _field(default_factory=list)
    """What to type, in order: at most 200 pieces, each one of text, key and paste."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("inputs", "inputs", lambda: PaneInput, True, False),
    )



@dataclass
class PaneInput(Message):
    """agent.v1.PaneInput"""

    text: str = ""
    """Characters, typed one after the other."""
    key: str = ""
    """A key by its name, such as `Enter` or `C-c`."""
    paste: str = ""
    """Text that is pasted in one piece, including line breaks."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("text", "text", "string", False, False),
        Field("key", "key", "string", False, False),
        Field("paste", "paste", "string", False, False),
    )



@dataclass
class TypeInPaneResponse(Message):
    """agent.v1.TypeInPaneResponse"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class WatchPaneRequest(Message):
    """agent.v1.WatchPaneRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    cursor: str = ""
    """cursor of the last answer. Unset: you have no screen yet."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class WatchPaneResponse(Message):
    """agent.v1.WatchPaneResponse"""

    screen: Optional[PaneScreen] = None
    """The whole screen, with SGR escape sequences. Unset if it has not changed since the cursor."""
    screen_digest: str = ""
    """Identifies this screen for answer_agent."""
    reading: Optional[PaneReading] = None
    """What was read from the screen, and by which rule."""
    read_at: str = ""
    """When the pane was read: RFC 3339, UTC."""
    cursor: str = ""
    """Pass it back as cursor to continue from here. Valid across restarts."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("screen", "screen", lambda: PaneScreen, False, True),
        Field("screen_digest", "screenDigest", "string", False, False),
        Field("reading", "reading", lambda: PaneReading, False, True),
        Field("read_at", "readAt", "string", False, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class ReportReasonRequest(Message):
    """agent.v1.ReportReasonRequest"""

    agent_id: str = ""
    """The agent, by its id. Unset: the caller."""
    reason: str = ""
    """What the CLI says it is doing. Empty clears it."""
    session_id: str = ""
    """The CLI’s conversation, for a later resume. Unset: unchanged."""
    reported_at: Optional[datetime] = None
    """When the CLI said so: RFC 3339. Unset: now."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("reason", "reason", "string", False, False),
        Field("session_id", "sessionId", "string", False, False),
        Field("reported_at", "reportedAt", "timestamp", False, True),
    )



@dataclass
class ReportReasonResponse(Message):
    """agent.v1.ReportReasonResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class RecordMetadataRequest(Message):
    """agent.v1.RecordMetadataRequest"""

    agent_id: str = ""
    """The agent, by its id. Unset: the caller."""
    metadata: List[MetadataEntry] = _field(default_factory=list)
    """Facts to add, replace or remove."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("metadata", "metadata", lambda: MetadataEntry, True, False),
    )



@dataclass
class MetadataEntry(Message):
    """agent.v1.MetadataEntry"""

    key: str = ""
    """What the fact is about, such as `ticket`."""
    value: str = ""
    """The fact. Empty removes the key."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("key", "key", "string", False, False),
        Field("value", "value", "string", False, False),
    )



@dataclass
class RecordMetadataResponse(Message):
    """agent.v1.RecordMetadataResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class GetResultRequest(Message):
    """agent.v1.GetResultRequest"""

    agent_id: str = ""
    """The agent, by its id: `agt_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class GetResultResponse(Message):
    """agent.v1.GetResultResponse"""

    result: Optional[AgentResult] = None
    """The last result that it reported."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("result", "result", lambda: AgentResult, False, True),
    )



@dataclass
class AgentResult(Message):
    """agent.v1.AgentResult"""

    agent_id: str = ""
    """The agent that reported it."""
    text: str = ""
    """The result as the agent gave it: JSON if it was launched with a schema."""
    fits_schema: bool = False
    """Whether it is JSON that fits the schema of its launch. Unset: there was no schema."""
    turn: int = 0
    """The turn in which it was reported, from 1. Unset: before its first turn."""
    reported_at: str = ""
    """When it was reported: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("text", "text", "string", False, False),
        Field("fits_schema", "fitsSchema", "bool", False, False),
        Field("turn", "turn", "int32", False, False),
        Field("reported_at", "reportedAt", "string", False, False),
    )



@dataclass
class ReportResultRequest(Message):
    """agent.v1.ReportResultRequest"""

    agent_id: str = ""
    """The agent, by its id. Unset: the caller."""
    result: str = ""
    """What you found or made, complete: its reader may see nothing else."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("result", "result", "string", False, False),
    )



@dataclass
class ReportResultResponse(Message):
    """agent.v1.ReportResultResponse"""

    agent: Optional[Agent] = None
    """The agent after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: Agent, False, True),
    )



@dataclass
class CleanAgentsRequest(Message):
    """agent.v1.CleanAgentsRequest"""

    agent_ids: List[str] = _field(default_factory=list)
    """Only these agents, by id. Empty: all archived ones."""
    workflow_id: str = ""
    """Only agents of this workflow."""
    dry_run: bool = False
    """true: delete nothing."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_ids", "agentIds", "string", True, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("dry_run", "dryRun", "bool", False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class CleanAgentsResponse(Message):
    """agent.v1.CleanAgentsResponse"""

    agents: List[CleanedAgent] = _field(default_factory=list)
    """The archived agents that had something on disk, on this page."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agents", "agents", lambda: CleanedAgent, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class CleanedAgent(Message):
    """agent.v1.CleanedAgent"""

    agent_id: str = ""
    """The id of the agent, as in every other call."""
    name: str = ""
    """What people call it."""
    freed: List[FreedFolder] = _field(default_factory=list)
    """What was deleted, or with `dryRun` would be."""
    kept: List[str] = _field(default_factory=list)
    """Why each other folder stays, one sentence each. Empty: nothing is left."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("freed", "freed", lambda: FreedFolder, True, False),
        Field("kept", "kept", "string", True, False),
    )



@dataclass
class FreedFolder(Message):
    """agent.v1.FreedFolder"""

    path: str = ""
    """Its path: of a build folder, from the root of the worktree; of a worktree, absolute."""
    bytes: int = 0
    """How much space it took. What other files share is not counted."""
    worktree: bool = False
    """Whether it is the whole worktree."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("path", "path", "string", False, False),
        Field("bytes", "bytes", "int64", False, False),
        Field("worktree", "worktree", "bool", False, False),
    )



@dataclass
class WaitForAgentsRequest(Message):
    """agent.v1.WaitForAgentsRequest"""

    agent_ids: List[str] = _field(default_factory=list)
    """Agents to wait for, by id: at most 200."""
    launched_by: str = ""
    """Or: those that this agent launched and that are not archived. Your id: SERVICE_AGENT_ID."""
    workflow_id: str = ""
    """Or: those of this workflow that are not archived."""
    until: List[Union[AgentOutcome, str]] = _field(default_factory=list)
    """What to wait for. Empty: anything."""
    any: bool = False
    """Answer about the first. Unset: once all have an outcome."""
    after_turn: int = 0
    """Only turns after this one count as finished. Unset: every turn."""
    cursor: str = ""
    """cursor of the last answer. Unset: as it is now."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_ids", "agentIds", "string", True, False),
        Field("launched_by", "launchedBy", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("until", "until", lambda: AgentOutcome, True, False),
        Field("any", "any", "bool", False, False),
        Field("after_turn", "afterTurn", "int32", False, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class WaitForAgentsResponse(Message):
    """agent.v1.WaitForAgentsResponse"""

    agents: List[AwaitedAgent] = _field(default_factory=list)
    """The outcomes. Empty: continue to wait."""
    cursor: str = ""
    """Pass it back as cursor to continue from here. Valid across restarts."""
    facts_forgotten: bool = False
    """Whether facts since the first call are no longer kept: outcomes that were over before may be
    missing."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agents", "agents", lambda: AwaitedAgent, True, False),
        Field("cursor", "cursor", "string", False, False),
        Field("facts_forgotten", "factsForgotten", "bool", False, False),
    )



@dataclass
class AwaitedAgent(Message):
    """agent.v1.AwaitedAgent"""

    agent_id: str = ""
    """Its id, as in every other call."""
    name: str = ""
    """What people call it."""
    outcome: Union[AgentOutcome, str] = AgentOutcome.UNSPECIFIED
    """What ended the wait for it."""
    turn: int = 0
    """How many turns it has finished. Unset: none, or it is older than the count."""
    reason: str = ""
    """Why: the question that it asks, the budget that holds it, or the reason of its state, in one
    line."""
    ending: Optional[AgentEnding] = None
    """How its CLI ended. Unset while it runs."""
    has_result: bool = False
    """Whether it has reported a result, which get_result returns."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("outcome", "outcome", lambda: AgentOutcome, False, False),
        Field("turn", "turn", "int32", False, False),
        Field("reason", "reason", "string", False, False),
        Field("ending", "ending", lambda: AgentEnding, False, True),
        Field("has_result", "hasResult", "bool", False, False),
    )



@dataclass
class SummarizeAgentsRequest(Message):
    """agent.v1.SummarizeAgentsRequest"""

    since: Optional[datetime] = None
    """When the time begins: RFC 3339."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("since", "since", "timestamp", False, True),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class SummarizeAgentsResponse(Message):
    """agent.v1.SummarizeAgentsResponse"""

    agents: List[AgentSummary] = _field(default_factory=list)
    """One page, most recently updated first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    facts: List[fact.Fact] = _field(default_factory=list)
    """What happened to accounts, budgets, hosts and backups, and restores, oldest first: the newest
    100, on the first page and for people alone."""
    facts_forgotten: bool = False
    """Whether facts since then are no longer kept, so that counts are too low."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agents", "agents", lambda: AgentSummary, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
        Field("facts", "facts", lambda: fact.Fact, True, False),
        Field("facts_forgotten", "factsForgotten", "bool", False, False),
    )



@dataclass
class AgentSummary(Message):
    """agent.v1.AgentSummary"""

    agent_id: str = ""
    """Its id, as in every other call."""
    name: str = ""
    """What people call it."""
    state: Union[AgentState, str] = AgentState.UNSPECIFIED
    """What it does now."""
    outcome: Union[AgentOutcome, str] = AgentOutcome.UNSPECIFIED
    """Where it stands now. Unset while it is set up, works or is parked, and without a turn."""
    reason: str = ""
    """Why: the reason of its state, or the question that it asks."""
    turns: int = 0
    """How many turns it finished."""
    result: str = ""
    """The opening of the result that it reported, which get_result returns. Unset: none."""
    ending: Optional[AgentEnding] = None
    """How its CLI ended. Unset while it runs."""
    ended: int = 0
    """How often its CLI ended."""
    restored: int = 0
    """How often it was restored."""
    waited: int = 0
    """How often it began to wait for a person, or for a rule."""
    approved: int = 0
    """How many of its questions rules answered: for people alone."""
    parked: int = 0
    """How often it was parked, counting a time that continues or began before."""
    resumed: int = 0
    """How often it was asked to continue after a limit."""
    held_by_budget: int = 0
    """How often a budget held it, counting a time that continues or began before."""
    failed: int = 0
    """How often its launch, its clean-up or a script of it failed, or it was refused when its turn to
    be restored came."""
    park: Optional[Park] = None
    """Why and until when it is parked. Unset if it is not."""
    over_budget: Optional[budget.SpentBudget] = None
    """The budget that holds it. Unset if none does."""
    last_known_at: str = ""
    """When `state` was last known, if its host is silent or lost: RFC 3339, UTC. Unset otherwise."""
    asked: int = 0
    """How many of its questions reached a person, as no rule answered them: for people alone."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("state", "state", lambda: AgentState, False, False),
        Field("outcome", "outcome", lambda: AgentOutcome, False, False),
        Field("reason", "reason", "string", False, False),
        Field("turns", "turns", "int32", False, False),
        Field("result", "result", "string", False, False),
        Field("ending", "ending", lambda: AgentEnding, False, True),
        Field("ended", "ended", "int32", False, False),
        Field("restored", "restored", "int32", False, False),
        Field("waited", "waited", "int32", False, False),
        Field("approved", "approved", "int32", False, False),
        Field("parked", "parked", "int32", False, False),
        Field("resumed", "resumed", "int32", False, False),
        Field("held_by_budget", "heldByBudget", "int32", False, False),
        Field("failed", "failed", "int32", False, False),
        Field("park", "park", lambda: Park, False, True),
        Field("over_budget", "overBudget", lambda: budget.SpentBudget, False, True),
        Field("last_known_at", "lastKnownAt", "string", False, False),
        Field("asked", "asked", "int32", False, False),
    )



@dataclass
class SendMailRequest(Message):
    """agent.v1.SendMailRequest"""

    agent_id: str = ""
    """The recipient, by its id."""
    subject: str = ""
    """The subject, on one line."""
    body: str = ""
    """The text to send."""
    in_reply_to: str = ""
    """The id of the mail that this answers."""
    kind: str = ""
    """Your own word for the sort of mail."""
    idempotency_key: str = ""
    """Any word of yours for this call. A repeat with it returns the first result."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("subject", "subject", "string", False, False),
        Field("body", "body", "string", False, False),
        Field("in_reply_to", "inReplyTo", "string", False, False),
        Field("kind", "kind", "string", False, False),
        Field("idempotency_key", "idempotencyKey", "string", False, False),
    )



@dataclass
class SendMailResponse(Message):
    """agent.v1.SendMailResponse"""

    mail: Optional[Mail] = None
    """The stored mail."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("mail", "mail", lambda: Mail, False, True),
    )



@dataclass
class Mail(Message):
    """agent.v1.Mail"""

    id: str = ""
    """The id of the mail, as `inReplyTo` takes it: `mal_` and a ULID."""
    to_agent_id: str = ""
    """The recipient."""
    to_name: str = ""
    """The recipient’s name."""
    from_agent_id: str = ""
    """The agent that sent it. Unset for a person."""
    from_name: str = ""
    """The sender’s name when it was sent."""
    from_role: Union[AgentRole, str] = AgentRole.UNSPECIFIED
    """The sender’s role when it was sent."""
    subject: str = ""
    """What it is about, on one line. May be empty."""
    body: str = ""
    """The text, or only its opening when `bodyTruncated` is true."""
    body_truncated: bool = False
    """Whether `body` holds only its first 200 characters."""
    kind: str = ""
    """The sender’s own word for the sort of mail: `a-z 0-9 -`, at most 40 characters."""
    in_reply_to: str = ""
    """The mail that it answers. Unset if it answers none."""
    hops: int = 0
    """The length of the chain of mails before it, in which each caused the next."""
    state: Union[MailState, str] = MailState.UNSPECIFIED
    """Whether it is stored, announced or taken."""
    sent_at: str = ""
    """When it was accepted: RFC 3339, UTC."""
    rung_at: str = ""
    """When its recipient’s doorbell rang for it: RFC 3339, UTC. Unset until then."""
    taken_at: str = ""
    """When its recipient took it: RFC 3339, UTC. Unset until then."""
    idempotency_key: str = ""
    """The key of the call that sent it. A repeat of that call returns this mail."""
    set_off_by: str = ""
    """The mail that its sender had taken last, which counts as its cause. Unset if none."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("to_agent_id", "toAgentId", "string", False, False),
        Field("to_name", "toName", "string", False, False),
        Field("from_agent_id", "fromAgentId", "string", False, False),
        Field("from_name", "fromName", "string", False, False),
        Field("from_role", "fromRole", lambda: AgentRole, False, False),
        Field("subject", "subject", "string", False, False),
        Field("body", "body", "string", False, False),
        Field("body_truncated", "bodyTruncated", "bool", False, False),
        Field("kind", "kind", "string", False, False),
        Field("in_reply_to", "inReplyTo", "string", False, False),
        Field("hops", "hops", "int32", False, False),
        Field("state", "state", lambda: MailState, False, False),
        Field("sent_at", "sentAt", "string", False, False),
        Field("rung_at", "rungAt", "string", False, False),
        Field("taken_at", "takenAt", "string", False, False),
        Field("idempotency_key", "idempotencyKey", "string", False, False),
        Field("set_off_by", "setOffBy", "string", False, False),
    )



@dataclass
class ListMailRequest(Message):
    """agent.v1.ListMailRequest"""

    agent_id: str = ""
    """The agent, by its id. Unset: the caller."""
    box: Union[MailBox, str] = MailBox.UNSPECIFIED
    """What the agent received or what it sent; unset: received."""
    taken: Optional[bool] = None
    """true: only taken mail; false: only what waits; unset: both."""
    view: Union[shared.View, str] = shared.View.UNSPECIFIED
    """Whether long texts are cut to their opening or whole. Unset: cut."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("box", "box", lambda: MailBox, False, False),
        Field("taken", "taken", "bool", False, True),
        Field("view", "view", lambda: shared.View, False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListMailResponse(Message):
    """agent.v1.ListMailResponse"""

    mail: List[Mail] = _field(default_factory=list)
    """One page, newest first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("mail", "mail", lambda: Mail, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class TakeMailRequest(Message):
    """agent.v1.TakeMailRequest"""

    agent_id: str = ""
    """The agent, by its id. Unset: the caller."""
    claim_id: str = ""
    """Any word of yours for this call. A repeat with it returns the same mail."""
    limit: int = 0
    """How many to take: at most 50, 10 if unset."""
    view: Union[shared.View, str] = shared.View.UNSPECIFIED
    """Whether bodies in `mail` are cut. `text` is always whole."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("claim_id", "claimId", "string", False, False),
        Field("limit", "limit", "int32", False, False),
        Field("view", "view", lambda: shared.View, False, False),
    )



@dataclass
class TakeMailResponse(Message):
    """agent.v1.TakeMailResponse"""

    text: str = ""
    """The mail to read, each body whole between marks."""
    mail: List[Mail] = _field(default_factory=list)
    """The same mail as records, bodies cut to their opening unless the view is VIEW_FULL."""
    claim_id: str = ""
    """Repeat the call with it to get the same mail again."""
    remaining: int = 0
    """How many mails are left."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("text", "text", "string", False, False),
        Field("mail", "mail", lambda: Mail, True, False),
        Field("claim_id", "claimId", "string", False, False),
        Field("remaining", "remaining", "int32", False, False),
    )



@dataclass
class ClaimDoorbellsRequest(Message):
    """agent.v1.ClaimDoorbellsRequest"""

    agent_id: str = ""
    """The agent, by its id. Unset: the caller."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class ClaimDoorbellsResponse(Message):
    """agent.v1.ClaimDoorbellsResponse"""

    doorbells: List[Doorbell] = _field(default_factory=list)
    """The claimed doorbell. Empty if none was open."""
    briefing: str = ""
    """How your role works in a review. Set only with your first doorbell of a review."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("doorbells", "doorbells", lambda: Doorbell, True, False),
        Field("briefing", "briefing", "string", False, False),
    )



@dataclass
class Doorbell(Message):
    """agent.v1.Doorbell"""

    id: str = ""
    """The id of this doorbell: `bel_` and a ULID."""
    agent_id: str = ""
    """The agent that it rings for."""
    state: Union[DoorbellState, str] = DoorbellState.UNSPECIFIED
    """Whether it has rung, and whether the agent claimed it."""
    causes: List[DoorbellCount] = _field(default_factory=list)
    """What raised it, each cause once."""
    raised_at: str = ""
    """When it was first raised: RFC 3339, UTC."""
    rung_at: str = ""
    """When it rang: RFC 3339, UTC. Unset until then."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("agent_id", "agentId", "string", False, False),
        Field("state", "state", lambda: DoorbellState, False, False),
        Field("causes", "causes", lambda: DoorbellCount, True, False),
        Field("raised_at", "raisedAt", "string", False, False),
        Field("rung_at", "rungAt", "string", False, False),
    )



@dataclass
class DoorbellCount(Message):
    """agent.v1.DoorbellCount"""

    cause: Union[DoorbellCause, str] = DoorbellCause.UNSPECIFIED
    """Why it was raised."""
    count: int = 0
    """How often that cause raised it."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("cause", "cause", lambda: DoorbellCause, False, False),
        Field("count", "count", "int32", False, False),
    )



@dataclass
class WaitForDoorbellsRequest(Message):
    """agent.v1.WaitForDoorbellsRequest"""

    cursor: str = ""
    """cursor of the last answer. Unset: first everything as it is now."""
    agent_id: str = ""
    """The agent, by its id. Unset: the caller."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("cursor", "cursor", "string", False, False),
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class WaitForDoorbellsResponse(Message):
    """agent.v1.WaitForDoorbellsResponse"""

    doorbells: List[Doorbell] = _field(default_factory=list)
    """The open doorbell, if it is new since the cursor."""
    cursor: str = ""
    """Pass it back as cursor to continue from here. Valid across restarts."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("doorbells", "doorbells", lambda: Doorbell, True, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class StartReviewRoundRequest(Message):
    """agent.v1.StartReviewRoundRequest"""

    agent_id: str = ""
    """The agent under review. Unset: you, or your parent if you are its reviewer."""
    base: str = ""
    """Branch, tag or commit to compare the work with. Unset: the workflow’s base branch."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("base", "base", "string", False, False),
    )



@dataclass
class StartReviewRoundResponse(Message):
    """agent.v1.StartReviewRoundResponse"""

    round: Optional[ReviewRound] = None
    """The new round, or the newest one if nothing changed."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("round", "round", lambda: ReviewRound, False, True),
    )



@dataclass
class ReviewRound(Message):
    """agent.v1.ReviewRound"""

    id: str = ""
    """The id of the round in other calls: `rnd_` and a ULID."""
    agent_id: str = ""
    """The agent whose work it is."""
    ordinal: int = 0
    """The number of the round of that agent, counting from one."""
    base_sha: str = ""
    """The commit that the work is compared with."""
    snapshot_sha: str = ""
    """The commit that contains the work, with uncommitted files."""
    started_by_agent_id: str = ""
    """The agent that started it. Unset if a person did."""
    created_at: str = ""
    """When the snapshot was made: RFC 3339, UTC."""
    changed_files: int = 0
    """How many files differ between base and snapshot."""
    left_out: List[ReviewLeftOut] = _field(default_factory=list)
    """Files that the snapshot does not contain, at most the first 1,000."""
    left_out_count: int = 0
    """How many files the snapshot does not contain in all."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("agent_id", "agentId", "string", False, False),
        Field("ordinal", "ordinal", "int32", False, False),
        Field("base_sha", "baseSha", "string", False, False),
        Field("snapshot_sha", "snapshotSha", "string", False, False),
        Field("started_by_agent_id", "startedByAgentId", "string", False, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("changed_files", "changedFiles", "int32", False, False),
        Field("left_out", "leftOut", lambda: ReviewLeftOut, True, False),
        Field("left_out_count", "leftOutCount", "int32", False, False),
    )



@dataclass
class ReviewLeftOut(Message):
    """agent.v1.ReviewLeftOut"""

    path: str = ""
    """File, relative to the checkout."""
    reason: Union[ReviewLeftOutReason, str] = ReviewLeftOutReason.UNSPECIFIED
    """Why the snapshot does not contain it."""
    bytes: int = 0
    """Its size, in bytes."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("path", "path", "string", False, False),
        Field("reason", "reason", lambda: ReviewLeftOutReason, False, False),
        Field("bytes", "bytes", "int64", False, False),
    )



@dataclass
class ListReviewRoundsRequest(Message):
    """agent.v1.ListReviewRoundsRequest"""

    agent_id: str = ""
    """The agent under review. Unset: you, or your parent if you are its reviewer."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListReviewRoundsResponse(Message):
    """agent.v1.ListReviewRoundsResponse"""

    rounds: List[ReviewRound] = _field(default_factory=list)
    """One page, newest first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("rounds", "rounds", lambda: ReviewRound, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class GetReviewDiffRequest(Message):
    """agent.v1.GetReviewDiffRequest"""

    agent_id: str = ""
    """The agent under review. Unset: you, or your parent if you are its reviewer."""
    round_id: str = ""
    """The round to show. Unset: the newest."""
    since_round_id: str = ""
    """An earlier round to compare with. Unset: the base."""
    file_path: str = ""
    """Only this file, by its path in the checkout."""
    cursor: str = ""
    """cursor of the last answer, for the next part."""
    page_bytes: int = 0
    """Bytes of patch per answer, 1,024 to 2,097,152. Unset: 49,152."""
    context: int = 0
    """Unchanged lines around each change. Unset: 3."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("round_id", "roundId", "string", False, False),
        Field("since_round_id", "sinceRoundId", "string", False, False),
        Field("file_path", "filePath", "string", False, False),
        Field("cursor", "cursor", "string", False, False),
        Field("page_bytes", "pageBytes", "int32", False, False),
        Field("context", "context", "int32", False, False),
    )



@dataclass
class GetReviewDiffResponse(Message):
    """agent.v1.GetReviewDiffResponse"""

    round: Optional[ReviewRound] = None
    """The round that the diff shows."""
    base_sha: str = ""
    """The commit of the old side: pass it as baseSha when you comment on this diff."""
    snapshot_sha: str = ""
    """The commit of the new side: pass it as snapshotSha when you comment on this diff."""
    files: List[ReviewFile] = _field(default_factory=list)
    """This part of the diff, file by file."""
    cursor: str = ""
    """Pass it back as cursor for the next part. Unset on the last one."""
    total_files: int = 0
    """How many files the whole diff has, or 1 if one file was requested."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("round", "round", lambda: ReviewRound, False, True),
        Field("base_sha", "baseSha", "string", False, False),
        Field("snapshot_sha", "snapshotSha", "string", False, False),
        Field("files", "files", lambda: ReviewFile, True, False),
        Field("cursor", "cursor", "string", False, False),
        Field("total_files", "totalFiles", "int32", False, False),
    )



@dataclass
class ReviewFile(Message):
    """agent.v1.ReviewFile"""

    path: str = ""
    """File, relative to the checkout."""
    old_path: str = ""
    """Its path before it was renamed. Unset if it was not."""
    change: Union[ReviewFileChange, str] = ReviewFileChange.UNSPECIFIED
    """What happened to it."""
    old_mode: str = ""
    """Its Git mode before, in octal, such as `100644`."""
    new_mode: str = ""
    """Its Git mode after, in octal."""
    old_bytes: int = 0
    """Its size before, in bytes."""
    new_bytes: int = 0
    """Its size after, in bytes."""
    added: int = 0
    """How many lines were added."""
    deleted: int = 0
    """How many lines were deleted."""
    omitted: Union[ReviewFileOmission, str] = ReviewFileOmission.UNSPECIFIED
    """Why its lines are not shown. Unset if they are."""
    patch: str = ""
    """Its unified diff, without the file header."""
    partial: bool = False
    """Whether the patch begins or continues on another page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("path", "path", "string", False, False),
        Field("old_path", "oldPath", "string", False, False),
        Field("change", "change", lambda: ReviewFileChange, False, False),
        Field("old_mode", "oldMode", "string", False, False),
        Field("new_mode", "newMode", "string", False, False),
        Field("old_bytes", "oldBytes", "int64", False, False),
        Field("new_bytes", "newBytes", "int64", False, False),
        Field("added", "added", "int32", False, False),
        Field("deleted", "deleted", "int32", False, False),
        Field("omitted", "omitted", lambda: ReviewFileOmission, False, False),
        Field("patch", "patch", "string", False, False),
        Field("partial", "partial", "bool", False, False),
    )



@dataclass
class ApplyReviewSuggestionRequest(Message):
    """agent.v1.ApplyReviewSuggestionRequest"""

    thread_id: str = ""
    """The thread, by its id: `thr_` and a ULID."""
    message_id: str = ""
    """The message whose suggestion to apply. Unset: the newest that has one."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread_id", "threadId", "string", False, False),
        Field("message_id", "messageId", "string", False, False),
    )



@dataclass
class ApplyReviewSuggestionResponse(Message):
    """agent.v1.ApplyReviewSuggestionResponse"""

    file_path: str = ""
    """The file that was written, relative to the checkout."""
    start: int = 0
    """First line of the suggestion in it, counting from one."""
    end: int = 0
    """Last line of the suggestion, inclusive."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("file_path", "filePath", "string", False, False),
        Field("start", "start", "int32", False, False),
        Field("end", "end", "int32", False, False),
    )



@dataclass
class CreateReviewThreadRequest(Message):
    """agent.v1.CreateReviewThreadRequest"""

    agent_id: str = ""
    """The agent whose diff to comment on: your parent."""
    file_path: str = ""
    """File, relative to the checkout."""
    base_sha: str = ""
    """Commit of the old line numbers. Unset: the round’s base."""
    snapshot_sha: str = ""
    """Commit of the new line numbers. Unset: the round you read last."""
    old_start: int = 0
    """First line on the old side, from one."""
    old_end: int = 0
    """Last line on the old side, inclusive."""
    new_start: int = 0
    """First line on the new side, from one."""
    new_end: int = 0
    """Last line on the new side, inclusive."""
    quoted_lines: List[str] = _field(default_factory=list)
    """The diff lines it is about, each with its leading marker."""
    body: str = ""
    """What is wrong and what to do, in one or two sentences."""
    suggestion: List[str] = _field(default_factory=list)
    """Lines to replace the thread’s new range, without line ends. Empty for an ordinary comment."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("file_path", "filePath", "string", False, False),
        Field("base_sha", "baseSha", "string", False, False),
        Field("snapshot_sha", "snapshotSha", "string", False, False),
        Field("old_start", "oldStart", "int32", False, False),
        Field("old_end", "oldEnd", "int32", False, False),
        Field("new_start", "newStart", "int32", False, False),
        Field("new_end", "newEnd", "int32", False, False),
        Field("quoted_lines", "quotedLines", "string", True, False),
        Field("body", "body", "string", False, False),
        Field("suggestion", "suggestion", "string", True, False),
    )



@dataclass
class CreateReviewThreadResponse(Message):
    """agent.v1.CreateReviewThreadResponse"""

    thread: Optional[ReviewThread] = None
    """The new thread, private until it is released."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread", "thread", lambda: ReviewThread, False, True),
    )



@dataclass
class ReviewThread(Message):
    """agent.v1.ReviewThread"""

    id: str = ""
    """The id of the thread, for replies and to resolve it: `thr_` and a ULID."""
    agent_id: str = ""
    """The agent whose diff it is pinned to."""
    review_id: str = ""
    """The review it was opened in."""
    round_id: str = ""
    """The round it is pinned to, which never changes."""
    round_ordinal: int = 0
    """The number of that round, counting from one."""
    base_sha: str = ""
    """The commit of the old line numbers: the round’s base, or an earlier round’s snapshot."""
    file_path: str = ""
    """File, relative to the checkout."""
    old_start: int = 0
    """First line on the old side, from one."""
    old_end: int = 0
    """Last line on the old side, inclusive."""
    new_start: int = 0
    """First line on the new side, from one."""
    new_end: int = 0
    """Last line on the new side, inclusive."""
    quoted_lines: List[str] = _field(default_factory=list)
    """The diff lines it is about, each with its leading marker."""
    resolved_at: str = ""
    """When a person resolved it: RFC 3339, UTC. Unset while it is open."""
    unread_by_human: bool = False
    """Whether it has a reply of the agent that no person has read."""
    messages: List[ReviewMessage] = _field(default_factory=list)
    """All messages, oldest first."""
    created_at: str = ""
    """When it was opened: RFC 3339, UTC."""
    updated_at: str = ""
    """When anything in it last changed: RFC 3339, UTC."""
    place: Optional[ReviewPlace] = None
    """Where its lines are in the newest round. Unset if that is its own round, or if the host did not
    answer."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("agent_id", "agentId", "string", False, False),
        Field("review_id", "reviewId", "string", False, False),
        Field("round_id", "roundId", "string", False, False),
        Field("round_ordinal", "roundOrdinal", "int32", False, False),
        Field("base_sha", "baseSha", "string", False, False),
        Field("file_path", "filePath", "string", False, False),
        Field("old_start", "oldStart", "int32", False, False),
        Field("old_end", "oldEnd", "int32", False, False),
        Field("new_start", "newStart", "int32", False, False),
        Field("new_end", "newEnd", "int32", False, False),
        Field("quoted_lines", "quotedLines", "string", True, False),
        Field("resolved_at", "resolvedAt", "string", False, False),
        Field("unread_by_human", "unreadByHuman", "bool", False, False),
        Field("messages", "messages", lambda: ReviewMessage, True, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("updated_at", "updatedAt", "string", False, False),
        Field("place", "place", lambda: ReviewPlace, False, True),
    )



@dataclass
class ReviewMessage(Message):
    """agent.v1.ReviewMessage"""

    id: str = ""
    """The id of the message, as an edit takes it: `msg_` and a ULID."""
    thread_id: str = ""
    """The thread it belongs to."""
    author_kind: Union[ReviewAuthorKind, str] = ReviewAuthorKind.UNSPECIFIED
    """Whether a person or an agent wrote it. Rely on this, not on `authorAgentId`."""
    author_agent_id: str = ""
    """The agent that wrote it. Unset for a person, and after that agent is deleted."""
    body: str = ""
    """The text, at most 1,000 characters."""
    suggestion: List[str] = _field(default_factory=list)
    """Lines proposed to replace the thread’s new range. Empty for an ordinary comment."""
    created_at: str = ""
    """When it was written: RFC 3339, UTC."""
    updated_at: str = ""
    """When it was last edited: RFC 3339, UTC."""
    delivery: Union[ReviewDeliveryState, str] = ReviewDeliveryState.UNSPECIFIED
    """How far its delivery to the agent has got."""
    sent_at: str = ""
    """When it was released: RFC 3339, UTC. Unset until then."""
    delivered_at: str = ""
    """When the agent claimed the doorbell for it: RFC 3339, UTC. Unset until then."""
    review_id: str = ""
    """The review it was released with. Unset for a reply of the agent under review."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("thread_id", "threadId", "string", False, False),
        Field("author_kind", "authorKind", lambda: ReviewAuthorKind, False, False),
        Field("author_agent_id", "authorAgentId", "string", False, False),
        Field("body", "body", "string", False, False),
        Field("suggestion", "suggestion", "string", True, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("updated_at", "updatedAt", "string", False, False),
        Field("delivery", "delivery", lambda: ReviewDeliveryState, False, False),
        Field("sent_at", "sentAt", "string", False, False),
        Field("delivered_at", "deliveredAt", "string", False, False),
        Field("review_id", "reviewId", "string", False, False),
    )



@dataclass
class ReviewPlace(Message):
    """agent.v1.ReviewPlace"""

    state: Union[ReviewPlaceState, str] = ReviewPlaceState.UNSPECIFIED
    """What happened to the lines."""
    round_id: str = ""
    """The round that this place is in, the agent’s newest."""
    round_ordinal: int = 0
    """The number of that round, counting from one."""
    file_path: str = ""
    """The file that the lines are in now. Unset if they changed or are gone."""
    old_start: int = 0
    """First line on the old side, counting from one."""
    old_end: int = 0
    """Last line on the old side, inclusive."""
    new_start: int = 0
    """First line on the new side, counting from one."""
    new_end: int = 0
    """Last line on the new side, inclusive."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("state", "state", lambda: ReviewPlaceState, False, False),
        Field("round_id", "roundId", "string", False, False),
        Field("round_ordinal", "roundOrdinal", "int32", False, False),
        Field("file_path", "filePath", "string", False, False),
        Field("old_start", "oldStart", "int32", False, False),
        Field("old_end", "oldEnd", "int32", False, False),
        Field("new_start", "newStart", "int32", False, False),
        Field("new_end", "newEnd", "int32", False, False),
    )



@dataclass
class DeleteReviewThreadRequest(Message):
    """agent.v1.DeleteReviewThreadRequest"""

    thread_id: str = ""
    """The thread, by its id: `thr_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread_id", "threadId", "string", False, False),
    )



@dataclass
class DeleteReviewThreadResponse(Message):
    """agent.v1.DeleteReviewThreadResponse"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class DiscardReviewRequest(Message):
    """agent.v1.DiscardReviewRequest"""

    agent_id: str = ""
    """The agent under review. Unset: you, or your parent if you are its reviewer."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class DiscardReviewResponse(Message):
    """agent.v1.DiscardReviewResponse"""

    review: Optional[Review] = None
    """The discarded review. Unset if there was none."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("review", "review", lambda: Review, False, True),
    )



@dataclass
class Review(Message):
    """agent.v1.Review"""

    id: str = ""
    """The id of the review in other calls: `rvw_` and a ULID."""
    agent_id: str = ""
    """The agent whose work it is about."""
    author_kind: Union[ReviewAuthorKind, str] = ReviewAuthorKind.UNSPECIFIED
    """Whether a person or an agent wrote it."""
    author_agent_id: str = ""
    """The reviewing agent. Unset for a person."""
    state: Union[ReviewState, str] = ReviewState.UNSPECIFIED
    """Whether it is being written, released or discarded."""
    verdict: Union[ReviewVerdict, str] = ReviewVerdict.UNSPECIFIED
    """Its verdict. Unset until it is released."""
    summary: str = ""
    """The author’s comment on the whole, at most 2,000 characters."""
    round_id: str = ""
    """The round that the verdict is about. Unset until it is released."""
    round_ordinal: int = 0
    """The number of that round, counting from one."""
    comments: int = 0
    """How many comments it has."""
    created_at: str = ""
    """When its first comment was written: RFC 3339, UTC."""
    released_at: str = ""
    """When it was released: RFC 3339, UTC. Unset until then."""
    launcher: Optional[ReviewLauncher] = None
    """Who launched its author. Unset until it is released, and for a person."""
    not_counting: Union[ReviewNotCounting, str] = ReviewNotCounting.UNSPECIFIED
    """Why its verdict does not count, decided at its release. Unset if it does."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("agent_id", "agentId", "string", False, False),
        Field("author_kind", "authorKind", lambda: ReviewAuthorKind, False, False),
        Field("author_agent_id", "authorAgentId", "string", False, False),
        Field("state", "state", lambda: ReviewState, False, False),
        Field("verdict", "verdict", lambda: ReviewVerdict, False, False),
        Field("summary", "summary", "string", False, False),
        Field("round_id", "roundId", "string", False, False),
        Field("round_ordinal", "roundOrdinal", "int32", False, False),
        Field("comments", "comments", "int32", False, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("released_at", "releasedAt", "string", False, False),
        Field("launcher", "launcher", lambda: ReviewLauncher, False, True),
        Field("not_counting", "notCounting", lambda: ReviewNotCounting, False, False),
    )



@dataclass
class EditReviewMessageRequest(Message):
    """agent.v1.EditReviewMessageRequest"""

    message_id: str = ""
    """The comment to rewrite, by its id."""
    body: str = ""
    """What is wrong and what to do, in one or two sentences."""
    suggestion: List[str] = _field(default_factory=list)
    """Lines to replace the thread’s new range, without line ends. Empty for an ordinary comment."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("message_id", "messageId", "string", False, False),
        Field("body", "body", "string", False, False),
        Field("suggestion", "suggestion", "string", True, False),
    )



@dataclass
class EditReviewMessageResponse(Message):
    """agent.v1.EditReviewMessageResponse"""

    message: Optional[ReviewMessage] = None
    """The comment as rewritten."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("message", "message", lambda: ReviewMessage, False, True),
    )



@dataclass
class ReleaseReviewRequest(Message):
    """agent.v1.ReleaseReviewRequest"""

    agent_id: str = ""
    """The agent under review. Unset: you, or your parent if you are its reviewer."""
    verdict: Union[ReviewVerdict, str] = ReviewVerdict.UNSPECIFIED
    """Your verdict."""
    summary: str = ""
    """A comment on the whole."""
    review_id: str = ""
    """The review to release again after a call that may have succeeded."""
    snapshot_sha: str = ""
    """Snapshot of the round you judge. Unset: the newest you commented on, else the one you read last."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("verdict", "verdict", lambda: ReviewVerdict, False, False),
        Field("summary", "summary", "string", False, False),
        Field("review_id", "reviewId", "string", False, False),
        Field("snapshot_sha", "snapshotSha", "string", False, False),
    )



@dataclass
class ReleaseReviewResponse(Message):
    """agent.v1.ReleaseReviewResponse"""

    review: Optional[Review] = None
    """The released review."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("review", "review", lambda: Review, False, True),
    )



@dataclass
class ReplyReviewThreadRequest(Message):
    """agent.v1.ReplyReviewThreadRequest"""

    thread_id: str = ""
    """The thread, by its id: `thr_` and a ULID."""
    body: str = ""
    """What is wrong and what to do, in one or two sentences."""
    suggestion: List[str] = _field(default_factory=list)
    """Lines to replace the thread’s new range, without line ends. Empty for an ordinary comment."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread_id", "threadId", "string", False, False),
        Field("body", "body", "string", False, False),
        Field("suggestion", "suggestion", "string", True, False),
    )



@dataclass
class ReplyReviewThreadResponse(Message):
    """agent.v1.ReplyReviewThreadResponse"""

    thread: Optional[ReviewThread] = None
    """The thread with the reply."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread", "thread", lambda: ReviewThread, False, True),
    )



@dataclass
class ListReviewThreadsRequest(Message):
    """agent.v1.ListReviewThreadsRequest"""

    agent_id: str = ""
    """The agent under review. Unset: you, or your parent if you are its reviewer."""
    review_id: str = ""
    """Only threads of this review."""
    round_id: str = ""
    """Only threads pinned to this round."""
    file_path: str = ""
    """Only threads in this file."""
    resolved: Optional[bool] = None
    """true: only resolved ones; false: only open ones. Unset: both."""
    unread_by_human: bool = False
    """true: only with a reply that no person has read."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("review_id", "reviewId", "string", False, False),
        Field("round_id", "roundId", "string", False, False),
        Field("file_path", "filePath", "string", False, False),
        Field("resolved", "resolved", "bool", False, True),
        Field("unread_by_human", "unreadByHuman", "bool", False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListReviewThreadsResponse(Message):
    """agent.v1.ListReviewThreadsResponse"""

    threads: List[ReviewThread] = _field(default_factory=list)
    """One page, newest first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    reviews: List[Review] = _field(default_factory=list)
    """Reviews of these threads, the newest released one, and the caller’s own open one."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("threads", "threads", lambda: ReviewThread, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
        Field("reviews", "reviews", lambda: Review, True, False),
    )



@dataclass
class MarkReviewThreadsReadRequest(Message):
    """agent.v1.MarkReviewThreadsReadRequest"""

    thread_ids: List[str] = _field(default_factory=list)
    """Threads that a person has read, 1 to 200."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread_ids", "threadIds", "string", True, False),
    )



@dataclass
class MarkReviewThreadsReadResponse(Message):
    """agent.v1.MarkReviewThreadsReadResponse"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class ReopenReviewThreadRequest(Message):
    """agent.v1.ReopenReviewThreadRequest"""

    thread_id: str = ""
    """The thread, by its id: `thr_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread_id", "threadId", "string", False, False),
    )



@dataclass
class ReopenReviewThreadResponse(Message):
    """agent.v1.ReopenReviewThreadResponse"""

    thread: Optional[ReviewThread] = None
    """The reopened thread."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread", "thread", lambda: ReviewThread, False, True),
    )



@dataclass
class ResolveReviewThreadRequest(Message):
    """agent.v1.ResolveReviewThreadRequest"""

    thread_id: str = ""
    """The thread, by its id: `thr_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread_id", "threadId", "string", False, False),
    )



@dataclass
class ResolveReviewThreadResponse(Message):
    """agent.v1.ResolveReviewThreadResponse"""

    thread: Optional[ReviewThread] = None
    """The resolved thread."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("thread", "thread", lambda: ReviewThread, False, True),
    )
