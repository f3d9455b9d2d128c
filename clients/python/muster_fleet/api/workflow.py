# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
from . import agent, host, shared


class PullRequestMatter(str, Enum):
    """workflow.v1.PullRequestMatter"""

    UNSPECIFIED = "PULL_REQUEST_MATTER_UNSPECIFIED"
    """Not given; never stored."""
    FAILING_CHECKS = "PULL_REQUEST_MATTER_FAILING_CHECKS"
    """A check on its head fails."""
    REQUESTED_CHANGES = "PULL_REQUEST_MATTER_REQUESTED_CHANGES"
    """A reviewer asks for changes."""
    CONFLICT = "PULL_REQUEST_MATTER_CONFLICT"
    """It no longer merges cleanly into its base."""



class OnUsageLimit(str, Enum):
    """workflow.v1.OnUsageLimit"""

    UNSPECIFIED = "ON_USAGE_LIMIT_UNSPECIFIED"
    """Not given: the same as ON_USAGE_LIMIT_PARK."""
    STAY = "ON_USAGE_LIMIT_STAY"
    """Nothing: each agent waits for a person."""
    PARK = "ON_USAGE_LIMIT_PARK"
    """They are parked until the limit ends, and a person continues them."""
    RESUME = "ON_USAGE_LIMIT_RESUME"
    """They are parked until the limit ends, and are then asked once to continue."""



class OnBoot(str, Enum):
    """workflow.v1.OnBoot"""

    UNSPECIFIED = "ON_BOOT_UNSPECIFIED"
    """Not given: the same as ON_BOOT_STAY."""
    STAY = "ON_BOOT_STAY"
    """Nothing: a person restores them."""
    RESTORE = "ON_BOOT_RESTORE"
    """They are restored in their conversations, a few of each host at a time."""



@dataclass
class AllowConnectionsRequest(Message):
    """workflow.v1.AllowConnectionsRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    hosts: List[str] = _field(default_factory=list)
    """The hosts, as in `grants.hosts`."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
        Field("hosts", "hosts", "string", True, False),
    )



@dataclass
class AllowConnectionsResponse(Message):
    """workflow.v1.AllowConnectionsResponse"""

    workflow: Optional[Workflow] = None
    """The workflow after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow", "workflow", lambda: Workflow, False, True),
    )



@dataclass
class Workflow(Message):
    """workflow.v1.Workflow"""

    id: str = ""
    """The id of the workflow in every other call: `wfl_` and a ULID."""
    name: str = ""
    """Its name, unique among workflows. At most 200 characters."""
    cwd: str = ""
    """The directory that agents start in, or whose repository their worktrees are made from. Absolute;
    in a request it may begin with `~`."""
    flags: str = ""
    """The flags that the CLI is started with."""
    harness: str = ""
    """Which CLI its agents run, such as `claude`. Unset: the launching agent’s own, else the host’s
    first."""
    context: str = ""
    """Text that precedes every prompt."""
    provision_enabled: Optional[bool] = None
    """Whether each agent gets its own worktree and branch. Unset: if `cwd` is in a Git repository."""
    role: Union[agent.AgentRole, str] = agent.AgentRole.UNSPECIFIED
    """What its agents are launched to do, unless the launch names a role."""
    base_branch: str = ""
    """The branch that worktrees start from. Empty: the repository’s default branch."""
    host: str = ""
    """The host that agents are placed on, by id or name. Empty: muster chooses."""
    scripts: Optional[WorkflowScripts] = None
    """Shell scripts that run for each agent. Shown to people only."""
    copy_files: List[str] = _field(default_factory=list)
    """Globs, relative to the repository, of files copied into each new worktree, such as `.env`."""
    created_at: str = ""
    """When it was created: RFC 3339, UTC."""
    updated_at: str = ""
    """When it was last changed: RFC 3339, UTC."""
    notify: Optional[shared.Notify] = None
    """Whom to notify of events of its agents, in addition to the person’s own setting. Shown to people
    only."""
    mail_on_pull_request: List[Union[PullRequestMatter, str]] = _field(default_factory=list)
    """Which problems of its pull request an agent gets mail about, once per commit. Empty: none."""
    repositories: List[str] = _field(default_factory=list)
    """Web addresses of the repositories whose pull requests are read for its agents: the remotes of
    `cwd`, and those that a person confirmed."""
    unconfirmed_repositories: List[str] = _field(default_factory=list)
    """Web addresses of repositories that its agents push to but no person has confirmed: muster reads
    nothing there. At most 20."""
    agents_may_launch: Optional[AgentsMayLaunch] = None
    """What its agents may launch, prompt and retry, besides agents like themselves."""
    pre_approved_tools: List[str] = _field(default_factory=list)
    """Tools, such as `create_agent`, that its agents’ CLIs call without asking a person first."""
    environment: List[str] = _field(default_factory=list)
    """Variables for its agents and scripts: `NAME` passes on the host’s own value, `NAME=value` is
    stored. Shown to people only."""
    profile_id: str = ""
    """The profile that its agents get variables, secrets and an account from. Unset: none. Shown to
    people only."""
    host_selector: List[str] = _field(default_factory=list)
    """Labels that the host of its agents must have, each as `key=value`; `name=build-2` is a host’s
    name. Empty: no condition."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What separates its agents and scripts from their host. Unset: nothing."""
    on_usage_limit: Union[OnUsageLimit, str] = OnUsageLimit.UNSPECIFIED
    """What happens to its agents once their account has reached its usage limit. Unset: they are
    parked."""
    on_boot: Union[OnBoot, str] = OnBoot.UNSPECIFIED
    """What happens to its agents once a restart of their computer has ended their windows. Unset:
    nothing."""
    grants: Optional[shared.Grants] = None
    """What its isolated agents and scripts may reach."""
    archive_policy: Optional[ArchivePolicy] = None
    """What is deleted of its archived agents, and when. Unset: nothing."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("cwd", "cwd", "string", False, False),
        Field("flags", "flags", "string", False, False),
        Field("harness", "harness", "string", False, False),
        Field("context", "context", "string", False, False),
        Field("provision_enabled", "provisionEnabled", "bool", False, True),
        Field("role", "role", lambda: agent.AgentRole, False, False),
        Field("base_branch", "baseBranch", "string", False, False),
        Field("host", "host", "string", False, False),
        Field("scripts", "scripts", lambda: WorkflowScripts, False, True),
        Field("copy_files", "copyFiles", "string", True, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("updated_at", "updatedAt", "string", False, False),
        Field("notify", "notify", lambda: shared.Notify, False, True),
        Field("mail_on_pull_request", "mailOnPullRequest", lambda: PullRequestMatter, True, False),
        Field("repositories", "repositories", "string", True, False),
        Field("unconfirmed_repositories", "unconfirmedRepositories", "string", True, False),
        Field("agents_may_launch", "agentsMayLaunch", lambda: AgentsMayLaunch, False, True),
        Field("pre_approved_tools", "preApprovedTools", "string", True, False),
        Field("environment", "environment", "string", True, False),
        Field("profile_id", "profileId", "string", False, False),
        Field("host_selector", "hostSelector", "string", True, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
        Field("on_usage_limit", "onUsageLimit", lambda: OnUsageLimit, False, False),
        Field("on_boot", "onBoot", lambda: OnBoot, False, False),
        Field("grants", "grants", lambda: shared.Grants, False, True),
        Field("archive_policy", "archivePolicy", lambda: ArchivePolicy, False, True),
    )



@dataclass
class WorkflowScripts(Message):
    """workflow.v1.WorkflowScripts"""

    setup: str = ""
    """Shell script that runs in each new worktree before the CLI starts. A failure fails the launch."""
    teardown: str = ""
    """Shell script that runs in a worktree before it is removed."""
    on_idle: str = ""
    """Shell script that runs in an agent’s directory whenever it becomes idle."""
    on_waiting: str = ""
    """Shell script that runs in an agent’s directory whenever it starts to wait for a person."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("setup", "setup", "string", False, False),
        Field("teardown", "teardown", "string", False, False),
        Field("on_idle", "onIdle", "string", False, False),
        Field("on_waiting", "onWaiting", "string", False, False),
    )



@dataclass
class AgentsMayLaunch(Message):
    """workflow.v1.AgentsMayLaunch"""

    harnesses: List[str] = _field(default_factory=list)
    """CLIs other than their own. `shell` lets them run any command."""
    hosts: List[str] = _field(default_factory=list)
    """Hosts other than their own, by id or name."""
    flags: List[str] = _field(default_factory=list)
    """Flags other than their own. Each entry is all the flags of one launch, compared word by word; an
    empty entry allows a launch without flags."""
    directories: List[str] = _field(default_factory=list)
    """Directories other than their own, with everything below and the worktrees of their repositories.
    Absolute, or beginning with `~`."""
    workflow_ids: List[str] = _field(default_factory=list)
    """Workflows other than their own, each with its own harness, flags, host and directory."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("harnesses", "harnesses", "string", True, False),
        Field("hosts", "hosts", "string", True, False),
        Field("flags", "flags", "string", True, False),
        Field("directories", "directories", "string", True, False),
        Field("workflow_ids", "workflowIds", "string", True, False),
    )



@dataclass
class ArchivePolicy(Message):
    """workflow.v1.ArchivePolicy"""

    build_folders: List[str] = _field(default_factory=list)
    """Folders that tools make again: a name such as `node_modules`, at any depth, or a path such as
    `web/dist`. Only what Git ignores as a whole is deleted."""
    build_folders_after_days: int = 0
    """After how many days in the archive these folders are deleted. Unset: only by clean_agents."""
    worktrees_after_days: int = 0
    """After how many days in the archive worktrees are removed whose work is pushed or in the base
    branch. Unset: only by clean_agents."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("build_folders", "buildFolders", "string", True, False),
        Field("build_folders_after_days", "buildFoldersAfterDays", "int32", False, False),
        Field("worktrees_after_days", "worktreesAfterDays", "int32", False, False),
    )



@dataclass
class ConfirmRepositoryRequest(Message):
    """workflow.v1.ConfirmRepositoryRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    remote_url: str = ""
    """The repository as a Git remote: git@host:owner/name or https://host/owner/name."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
        Field("remote_url", "remoteUrl", "string", False, False),
    )



@dataclass
class ConfirmRepositoryResponse(Message):
    """workflow.v1.ConfirmRepositoryResponse"""

    workflow: Optional[Workflow] = None
    """The workflow after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow", "workflow", lambda: Workflow, False, True),
    )



@dataclass
class CreateWorkflowRequest(Message):
    """workflow.v1.CreateWorkflowRequest"""

    name: str = ""
    """Its name, unique among workflows. At most 200 characters."""
    cwd: str = ""
    """The directory that agents start in, or whose repository their worktrees are made from. Absolute;
    in a request it may begin with `~`."""
    flags: str = ""
    """The flags that the CLI is started with."""
    harness: str = ""
    """Which CLI its agents run, such as `claude`. Unset: the launching agent’s own, else the host’s
    first."""
    context: str = ""
    """Text that precedes every prompt."""
    provision_enabled: Optional[bool] = None
    """Whether each agent gets its own worktree and branch. Unset: if `cwd` is in a Git repository."""
    role: Union[agent.AgentRole, str] = agent.AgentRole.UNSPECIFIED
    """What its agents are launched to do, unless the launch names a role."""
    base_branch: str = ""
    """The branch that worktrees start from. Empty: the repository’s default branch."""
    host: str = ""
    """The host that agents are placed on, by id or name. Empty: muster chooses."""
    scripts: Optional[WorkflowScripts] = None
    """Shell scripts that run for each agent. Shown to people only."""
    copy_files: List[str] = _field(default_factory=list)
    """Globs, relative to the repository, of files copied into each new worktree, such as `.env`."""
    notify: Optional[shared.Notify] = None
    """Whom to notify of events of its agents, in addition to the person’s own setting. Shown to people
    only."""
    mail_on_pull_request: List[Union[PullRequestMatter, str]] = _field(default_factory=list)
    """Which problems of its pull request an agent gets mail about, once per commit. Empty: none."""
    agents_may_launch: Optional[AgentsMayLaunch] = None
    """What its agents may launch, prompt and retry, besides agents like themselves."""
    pre_approved_tools: List[str] = _field(default_factory=list)
    """Tools, such as `create_agent`, that its agents’ CLIs call without asking a person first."""
    environment: List[str] = _field(default_factory=list)
    """Variables for its agents and scripts: `NAME` passes on the host’s own value, `NAME=value` is
    stored. Shown to people only."""
    host_selector: List[str] = _field(default_factory=list)
    """Labels that the host of its agents must have, each as `key=value`; `name=build-2` is a host’s
    name. Empty: no condition."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What separates its agents and scripts from their host. Unset: a sandbox where one works, in
    installations that began with that."""
    grants: Optional[shared.Grants] = None
    """What its isolated agents and scripts may reach."""
    profile_id: str = ""
    """The profile that its agents get variables, secrets and an account from. Unset: none. Shown to
    people only."""
    archive_policy: Optional[ArchivePolicy] = None
    """What is deleted of its archived agents, and when. Unset: nothing."""
    on_usage_limit: Union[OnUsageLimit, str] = OnUsageLimit.UNSPECIFIED
    """What happens to its agents once their account has reached its usage limit. Unset: they are
    parked."""
    on_boot: Union[OnBoot, str] = OnBoot.UNSPECIFIED
    """What happens to its agents once a restart of their computer has ended their windows. Unset:
    nothing."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("cwd", "cwd", "string", False, False),
        Field("flags", "flags", "string", False, False),
        Field("harness", "harness", "string", False, False),
        Field("context", "context", "string", False, False),
        Field("provision_enabled", "provisionEnabled", "bool", False, True),
        Field("role", "role", lambda: agent.AgentRole, False, False),
        Field("base_branch", "baseBranch", "string", False, False),
        Field("host", "host", "string", False, False),
        Field("scripts", "scripts", lambda: WorkflowScripts, False, True),
        Field("copy_files", "copyFiles", "string", True, False),
        Field("notify", "notify", lambda: shared.Notify, False, True),
        Field("mail_on_pull_request", "mailOnPullRequest", lambda: PullRequestMatter, True, False),
        Field("agents_may_launch", "agentsMayLaunch", lambda: AgentsMayLaunch, False, True),
        Field("pre_approved_tools", "preApprovedTools", "string", True, False),
        Field("environment", "environment", "string", True, False),
        Field("host_selector", "hostSelector", "string", True, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
        Field("grants", "grants", lambda: shared.Grants, False, True),
        Field("profile_id", "profileId", "string", False, False),
        Field("archive_policy", "archivePolicy", lambda: ArchivePolicy, False, True),
        Field("on_usage_limit", "onUsageLimit", lambda: OnUsageLimit, False, False),
        Field("on_boot", "onBoot", lambda: OnBoot, False, False),
    )



@dataclass
class CreateWorkflowResponse(Message):
    """workflow.v1.CreateWorkflowResponse"""

    workflow: Optional[Workflow] = None
    """The new workflow."""
    not_isolated: str = ""
    """Why its agents are not isolated, if they would be by default, and what to do about it. Unset
    otherwise."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow", "workflow", lambda: Workflow, False, True),
        Field("not_isolated", "notIsolated", "string", False, False),
    )



@dataclass
class DeleteWorkflowRequest(Message):
    """workflow.v1.DeleteWorkflowRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
    )



@dataclass
class DeleteWorkflowResponse(Message):
    """workflow.v1.DeleteWorkflowResponse"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class GetWorkflowRequest(Message):
    """workflow.v1.GetWorkflowRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
    )



@dataclass
class GetWorkflowResponse(Message):
    """workflow.v1.GetWorkflowResponse"""

    workflow: Optional[Workflow] = None
    """The requested workflow."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow", "workflow", lambda: Workflow, False, True),
    )



@dataclass
class ListWorkflowsRequest(Message):
    """workflow.v1.ListWorkflowsRequest"""

    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListWorkflowsResponse(Message):
    """workflow.v1.ListWorkflowsResponse"""

    workflows: List[Workflow] = _field(default_factory=list)
    """One page, most recently updated first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    default_isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What isolates the agents of a new workflow that does not say, if it works on the hosts that may
    run them."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflows", "workflows", lambda: Workflow, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
        Field("default_isolation", "defaultIsolation", lambda: shared.Isolation, False, False),
    )



@dataclass
class UpdateWorkflowRequest(Message):
    """workflow.v1.UpdateWorkflowRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    name: str = ""
    """Its name, unique among workflows. At most 200 characters."""
    cwd: str = ""
    """The directory that agents start in, or whose repository their worktrees are made from. Absolute;
    in a request it may begin with `~`."""
    flags: str = ""
    """The flags that the CLI is started with."""
    harness: str = ""
    """Which CLI its agents run, such as `claude`. Unset: the launching agent’s own, else the host’s
    first."""
    context: str = ""
    """Text that precedes every prompt."""
    provision_enabled: Optional[bool] = None
    """Whether each agent gets its own worktree and branch. Unset: if `cwd` is in a Git repository."""
    role: Union[agent.AgentRole, str] = agent.AgentRole.UNSPECIFIED
    """What its agents are launched to do, unless the launch names a role."""
    base_branch: str = ""
    """The branch that worktrees start from. Empty: the repository’s default branch."""
    host: str = ""
    """The host that agents are placed on, by id or name. Empty: muster chooses."""
    scripts: Optional[WorkflowScripts] = None
    """Shell scripts that run for each agent. Shown to people only."""
    copy_files: List[str] = _field(default_factory=list)
    """Globs, relative to the repository, of files copied into each new worktree, such as `.env`."""
    notify: Optional[shared.Notify] = None
    """Whom to notify of events of its agents, in addition to the person’s own setting. Shown to people
    only."""
    mail_on_pull_request: List[Union[PullRequestMatter, str]] = _field(default_factory=list)
    """Which problems of its pull request an agent gets mail about, once per commit. Empty: none."""
    agents_may_launch: Optional[AgentsMayLaunch] = None
    """What its agents may launch, prompt and retry, besides agents like themselves."""
    pre_approved_tools: List[str] = _field(default_factory=list)
    """Tools, such as `create_agent`, that its agents’ CLIs call without asking a person first."""
    environment: List[str] = _field(default_factory=list)
    """Variables for its agents and scripts: `NAME` passes on the host’s own value, `NAME=value` is
    stored. Shown to people only."""
    host_selector: List[str] = _field(default_factory=list)
    """Labels that the host of its agents must have, each as `key=value`; `name=build-2` is a host’s
    name. Empty: no condition."""
    isolation: Union[shared.Isolation, str] = shared.Isolation.UNSPECIFIED
    """What separates its agents and scripts from their host. Unset: nothing."""
    grants: Optional[shared.Grants] = None
    """What its isolated agents and scripts may reach."""
    profile_id: str = ""
    """The profile that its agents get variables, secrets and an account from. Unset: none. Shown to
    people only."""
    archive_policy: Optional[ArchivePolicy] = None
    """What is deleted of its archived agents, and when. Unset: nothing."""
    on_usage_limit: Union[OnUsageLimit, str] = OnUsageLimit.UNSPECIFIED
    """What happens to its agents once their account has reached its usage limit. Unset: they are
    parked."""
    on_boot: Union[OnBoot, str] = OnBoot.UNSPECIFIED
    """What happens to its agents once a restart of their computer has ended their windows. Unset:
    nothing."""
    clear: List[str] = _field(default_factory=list)
    """Fields to empty, by name. A field that is also given is set instead."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("cwd", "cwd", "string", False, False),
        Field("flags", "flags", "string", False, False),
        Field("harness", "harness", "string", False, False),
        Field("context", "context", "string", False, False),
        Field("provision_enabled", "provisionEnabled", "bool", False, True),
        Field("role", "role", lambda: agent.AgentRole, False, False),
        Field("base_branch", "baseBranch", "string", False, False),
        Field("host", "host", "string", False, False),
        Field("scripts", "scripts", lambda: WorkflowScripts, False, True),
        Field("copy_files", "copyFiles", "string", True, False),
        Field("notify", "notify", lambda: shared.Notify, False, True),
        Field("mail_on_pull_request", "mailOnPullRequest", lambda: PullRequestMatter, True, False),
        Field("agents_may_launch", "agentsMayLaunch", lambda: AgentsMayLaunch, False, True),
        Field("pre_approved_tools", "preApprovedTools", "string", True, False),
        Field("environment", "environment", "string", True, False),
        Field("host_selector", "hostSelector", "string", True, False),
        Field("isolation", "isolation", lambda: shared.Isolation, False, False),
        Field("grants", "grants", lambda: shared.Grants, False, True),
        Field("profile_id", "profileId", "string", False, False),
        Field("archive_policy", "archivePolicy", lambda: ArchivePolicy, False, True),
        Field("on_usage_limit", "onUsageLimit", lambda: OnUsageLimit, False, False),
        Field("on_boot", "onBoot", lambda: OnBoot, False, False),
        Field("clear", "clear", "string", True, False),
    )



@dataclass
class UpdateWorkflowResponse(Message):
    """workflow.v1.UpdateWorkflowResponse"""

    workflow: Optional[Workflow] = None
    """The workflow after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow", "workflow", lambda: Workflow, False, True),
    )



@dataclass
class WithdrawRepositoryRequest(Message):
    """workflow.v1.WithdrawRepositoryRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    remote_url: str = ""
    """The repository as a Git remote: git@host:owner/name or https://host/owner/name."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
        Field("remote_url", "remoteUrl", "string", False, False),
    )



@dataclass
class WithdrawRepositoryResponse(Message):
    """workflow.v1.WithdrawRepositoryResponse"""

    workflow: Optional[Workflow] = None
    """The workflow after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow", "workflow", lambda: Workflow, False, True),
    )



@dataclass
class GetWorkflowTrialRequest(Message):
    """workflow.v1.GetWorkflowTrialRequest"""

    trial_id: str = ""
    """The trial, by its id."""
    host_id: str = ""
    """The host it runs on, from try_workflow."""
    cursor: str = ""
    """Where to continue. Unset: from the beginning."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("trial_id", "trialId", "string", False, False),
        Field("host_id", "hostId", "string", False, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class GetWorkflowTrialResponse(Message):
    """workflow.v1.GetWorkflowTrialResponse"""

    trial: Optional[WorkflowTrial] = None
    """The trial as it is now."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("trial", "trial", lambda: WorkflowTrial, False, True),
    )



@dataclass
class WorkflowTrial(Message):
    """workflow.v1.WorkflowTrial"""

    id: str = ""
    """The id of the trial in other calls: `try_` and a ULID."""
    workflow_id: str = ""
    """The workflow whose setup script is tried."""
    host_id: str = ""
    """The host it runs on, which other calls take too."""
    state: Union[host.RunState, str] = host.RunState.UNSPECIFIED
    """Whether it is running, and how it ended. It ends once its worktree is removed."""
    started_at: str = ""
    """When it started: RFC 3339, UTC."""
    ended_at: str = ""
    """When it ended: RFC 3339, UTC. Unset while it runs."""
    directory: str = ""
    """The path of its worktree. Empty until the worktree exists."""
    reason: str = ""
    """Why it failed: exit status, signal, time limit, or what prevented it. Empty unless it failed."""
    output: str = ""
    """Standard output and error in order of arrival, from the request’s cursor on."""
    output_truncated: bool = False
    """Whether `output` lacks its beginning: only its last 1 MiB is kept."""
    cursor: str = ""
    """Where `output` ends: pass it to get what follows."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("workflow_id", "workflowId", "string", False, False),
        Field("host_id", "hostId", "string", False, False),
        Field("state", "state", lambda: host.RunState, False, False),
        Field("started_at", "startedAt", "string", False, False),
        Field("ended_at", "endedAt", "string", False, False),
        Field("directory", "directory", "string", False, False),
        Field("reason", "reason", "string", False, False),
        Field("output", "output", "string", False, False),
        Field("output_truncated", "outputTruncated", "bool", False, False),
        Field("cursor", "cursor", "string", False, False),
    )



@dataclass
class StopWorkflowTrialRequest(Message):
    """workflow.v1.StopWorkflowTrialRequest"""

    trial_id: str = ""
    """The trial, by its id."""
    host_id: str = ""
    """The host it runs on, from try_workflow."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("trial_id", "trialId", "string", False, False),
        Field("host_id", "hostId", "string", False, False),
    )



@dataclass
class StopWorkflowTrialResponse(Message):
    """workflow.v1.StopWorkflowTrialResponse"""

    trial: Optional[WorkflowTrial] = None
    """The trial, which may still be ending."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("trial", "trial", lambda: WorkflowTrial, False, True),
    )



@dataclass
class TryWorkflowRequest(Message):
    """workflow.v1.TryWorkflowRequest"""

    workflow_id: str = ""
    """The workflow, by its id: `wfl_` and a ULID."""
    setup: str = ""
    """The script to try. Unset: the workflow’s own."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("workflow_id", "workflowId", "string", False, False),
        Field("setup", "setup", "string", False, False),
    )



@dataclass
class TryWorkflowResponse(Message):
    """workflow.v1.TryWorkflowResponse"""

    trial: Optional[WorkflowTrial] = None
    """The trial, just started."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("trial", "trial", lambda: WorkflowTrial, False, True),
    )
