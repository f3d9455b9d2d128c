# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
from . import shared


class PullRequestState(str, Enum):
    """forge.v1.PullRequestState"""

    UNSPECIFIED = "PULL_REQUEST_STATE_UNSPECIFIED"
    """No state. In a request: any."""
    UNREAD = "PULL_REQUEST_STATE_UNREAD"
    """Its repository’s first sweep has not completed."""
    NONE = "PULL_REQUEST_STATE_NONE"
    """Its repository was swept, and nothing was opened from the branch."""
    OPEN = "PULL_REQUEST_STATE_OPEN"
    """Open, without a review decision that settles it."""
    APPROVED = "PULL_REQUEST_STATE_APPROVED"
    """Open, and the forge would merge it now."""
    CHANGES_REQUESTED = "PULL_REQUEST_STATE_CHANGES_REQUESTED"
    """Open, and a reviewer asks for changes."""
    DRAFT = "PULL_REQUEST_STATE_DRAFT"
    """A draft, whatever its reviews say."""
    MERGED = "PULL_REQUEST_STATE_MERGED"
    """Merged into its base."""
    CLOSED = "PULL_REQUEST_STATE_CLOSED"
    """Closed without being merged."""
    FAILING = "PULL_REQUEST_STATE_FAILING"
    """Open, and a check on its head fails, whatever its reviews say."""
    APPROVED_WAITING = "PULL_REQUEST_STATE_APPROVED_WAITING"
    """Approved, but not mergeable yet: checks are running, the branch is behind, a rule is unmet, or
    it waits in the merge queue."""
    CONFLICTING = "PULL_REQUEST_STATE_CONFLICTING"
    """Open, and no longer merges cleanly into its base, whatever its reviews say."""



class Checks(str, Enum):
    """forge.v1.Checks"""

    UNSPECIFIED = "CHECKS_UNSPECIFIED"
    """Unknown, or there is no pull request."""
    NONE = "CHECKS_NONE"
    """Its head has no checks."""
    PENDING = "CHECKS_PENDING"
    """Some checks have not finished."""
    PASSING = "CHECKS_PASSING"
    """All checks passed."""
    FAILING = "CHECKS_FAILING"
    """A check failed."""



class Mergeability(str, Enum):
    """forge.v1.Mergeability"""

    UNSPECIFIED = "MERGEABILITY_UNSPECIFIED"
    """Unknown, or there is no pull request."""
    UNKNOWN = "MERGEABILITY_UNKNOWN"
    """The forge has not determined it yet."""
    CLEAN = "MERGEABILITY_CLEAN"
    """It can be merged."""
    UNSTABLE = "MERGEABILITY_UNSTABLE"
    """It can be merged, although a check that is not required fails or is running."""
    BLOCKED = "MERGEABILITY_BLOCKED"
    """A rule of the branch forbids it for now."""
    BEHIND = "MERGEABILITY_BEHIND"
    """Its branch is behind its base, and a rule requires it to be up to date."""
    CONFLICTING = "MERGEABILITY_CONFLICTING"
    """It does not merge cleanly into its base."""



class ReviewDecision(str, Enum):
    """forge.v1.ReviewDecision"""

    UNSPECIFIED = "REVIEW_DECISION_UNSPECIFIED"
    """Unknown."""
    NONE = "REVIEW_DECISION_NONE"
    """No review is required, and none settles it."""
    PENDING = "REVIEW_DECISION_PENDING"
    """A required review is missing."""
    APPROVED = "REVIEW_DECISION_APPROVED"
    """Reviewers approved it."""
    CHANGES_REQUESTED = "REVIEW_DECISION_CHANGES_REQUESTED"
    """A reviewer asks for changes."""



class ForgeKind(str, Enum):
    """forge.v1.ForgeKind"""

    UNSPECIFIED = "FORGE_KIND_UNSPECIFIED"
    """Not given; refused."""
    GITHUB = "FORGE_KIND_GITHUB"
    """GitHub, or GitHub Enterprise."""
    GITLAB = "FORGE_KIND_GITLAB"
    """GitLab, or a self-hosted instance."""
    GITEA = "FORGE_KIND_GITEA"
    """Gitea, or Forgejo."""
    BITBUCKET = "FORGE_KIND_BITBUCKET"
    """Bitbucket, by Atlassian."""



class RepositoryState(str, Enum):
    """forge.v1.RepositoryState"""

    UNSPECIFIED = "REPOSITORY_STATE_UNSPECIFIED"
    """No state; never sent."""
    DUE = "REPOSITORY_STATE_DUE"
    """It is read at the next opportunity."""
    SWEEPING = "REPOSITORY_STATE_SWEEPING"
    """It is being read now."""
    RESTING = "REPOSITORY_STATE_RESTING"
    """It was read, and will be read again at `nextAt`."""
    BACKING_OFF = "REPOSITORY_STATE_BACKING_OFF"
    """The forge refused or failed. The next attempt is at `nextAt`."""
    DORMANT = "REPOSITORY_STATE_DORMANT"
    """No agent needs it, so it is not read."""



@dataclass
class PullRequestStanding(Message):
    """forge.v1.PullRequestStanding"""

    state: Union[PullRequestState, str] = PullRequestState.UNSPECIFIED
    """UNREAD before the repository was read, NONE without a pull request, else the state of the
    current one."""
    number: int = 0
    """The number of the current pull request. Unset for UNREAD and NONE."""
    url: str = ""
    """The web address of the current pull request. Unset for UNREAD and NONE."""
    title: str = ""
    """The title of the current pull request. Unset for UNREAD and NONE."""
    checks: Union[Checks, str] = Checks.UNSPECIFIED
    """The state of the checks on its head. Unset for UNREAD and NONE."""
    mergeability: Union[Mergeability, str] = Mergeability.UNSPECIFIED
    """Whether it can be merged, as the forge reports it. Unset for UNREAD and NONE."""
    in_merge_queue: bool = False
    """Whether it waits in the forge’s merge queue."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("state", "state", lambda: PullRequestState, False, False),
        Field("number", "number", "int32", False, False),
        Field("url", "url", "string", False, False),
        Field("title", "title", "string", False, False),
        Field("checks", "checks", lambda: Checks, False, False),
        Field("mergeability", "mergeability", lambda: Mergeability, False, False),
        Field("in_merge_queue", "inMergeQueue", "bool", False, False),
    )



@dataclass
class PullRequest(Message):
    """forge.v1.PullRequest"""

    id: str = ""
    """The id of the stored row: `pul_` and a ULID."""
    forge: str = ""
    """The kind of its forge, such as `github`."""
    provider_id: str = ""
    """The forge’s own stable identifier."""
    url: str = ""
    """The web address that a person opens."""
    repository_url: str = ""
    """The web address of the repository it targets."""
    head_repository_url: str = ""
    """The web address of the repository that contains its branch. Empty if the forge no longer has it."""
    number: int = 0
    """The number that the forge shows, per repository."""
    title: str = ""
    """The title that its author gave it."""
    head_branch: str = ""
    """The branch it was opened from."""
    head_sha: str = ""
    """The commit at the tip of that branch when last read."""
    base_branch: str = ""
    """The branch it targets."""
    base_sha: str = ""
    """The commit at the tip of the target branch when last read."""
    draft: bool = False
    """Whether the forge marks it as a draft."""
    state: Union[PullRequestState, str] = PullRequestState.UNSPECIFIED
    """Its state, decided from the other fields."""
    opened_at: str = ""
    """When it was opened on the forge: RFC 3339, UTC."""
    changed_at: str = ""
    """When the forge last saw it change: RFC 3339, UTC."""
    merged_at: str = ""
    """When it was merged: RFC 3339, UTC. Unset until then."""
    closed_at: str = ""
    """When it was closed: RFC 3339, UTC. Unset while open; a merged one has it too."""
    review_decision: Union[ReviewDecision, str] = ReviewDecision.UNSPECIFIED
    """The outcome of its reviews, as the forge reports it."""
    checks: Union[Checks, str] = Checks.UNSPECIFIED
    """The state of the checks on its head."""
    mergeability: Union[Mergeability, str] = Mergeability.UNSPECIFIED
    """Whether it can be merged, by its base and rules, as the forge reports it."""
    in_merge_queue: bool = False
    """Whether it waits in the forge’s merge queue. If approved, its state is APPROVED_WAITING
    meanwhile."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("forge", "forge", "string", False, False),
        Field("provider_id", "providerId", "string", False, False),
        Field("url", "url", "string", False, False),
        Field("repository_url", "repositoryUrl", "string", False, False),
        Field("head_repository_url", "headRepositoryUrl", "string", False, False),
        Field("number", "number", "int32", False, False),
        Field("title", "title", "string", False, False),
        Field("head_branch", "headBranch", "string", False, False),
        Field("head_sha", "headSha", "string", False, False),
        Field("base_branch", "baseBranch", "string", False, False),
        Field("base_sha", "baseSha", "string", False, False),
        Field("draft", "draft", "bool", False, False),
        Field("state", "state", lambda: PullRequestState, False, False),
        Field("opened_at", "openedAt", "string", False, False),
        Field("changed_at", "changedAt", "string", False, False),
        Field("merged_at", "mergedAt", "string", False, False),
        Field("closed_at", "closedAt", "string", False, False),
        Field("review_decision", "reviewDecision", lambda: ReviewDecision, False, False),
        Field("checks", "checks", lambda: Checks, False, False),
        Field("mergeability", "mergeability", lambda: Mergeability, False, False),
        Field("in_merge_queue", "inMergeQueue", "bool", False, False),
    )



@dataclass
class CheckForgeConnectionRequest(Message):
    """forge.v1.CheckForgeConnectionRequest"""

    connection_id: str = ""
    """The connection, by its id: `fgc_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("connection_id", "connectionId", "string", False, False),
    )



@dataclass
class CheckForgeConnectionResponse(Message):
    """forge.v1.CheckForgeConnectionResponse"""

    login: str = ""
    """The name of the credential’s account on the forge."""
    warnings: List[str] = _field(default_factory=list)
    """What the credential may not do, item by item."""
    quota_remaining: int = 0
    """How many requests the forge still allows until `quotaResetAt`. Unset if unknown."""
    quota_limit: int = 0
    """How many requests the forge allows per period. Unset if unknown."""
    quota_reset_at: str = ""
    """When the next period begins: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("login", "login", "string", False, False),
        Field("warnings", "warnings", "string", True, False),
        Field("quota_remaining", "quotaRemaining", "int64", False, False),
        Field("quota_limit", "quotaLimit", "int64", False, False),
        Field("quota_reset_at", "quotaResetAt", "string", False, False),
    )



@dataclass
class CreateForgeConnectionRequest(Message):
    """forge.v1.CreateForgeConnectionRequest"""

    host: str = ""
    """The host name of its remotes, such as `github.com`."""
    kind: Union[ForgeKind, str] = ForgeKind.UNSPECIFIED
    """Which software the forge runs."""
    base_address: str = ""
    """The base address of the forge’s API. Default: the usual one at its host."""
    credential: str = ""
    """The secret itself, which muster stores encrypted."""
    credential_env: str = ""
    """The registry’s environment variable that contains the credential."""
    credential_file: str = ""
    """A file on the registry’s computer that contains the credential, readable only by its owner."""
    credential_command: List[str] = _field(default_factory=list)
    """A program that prints the credential, with its arguments. It runs without a shell."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host", "host", "string", False, False),
        Field("kind", "kind", lambda: ForgeKind, False, False),
        Field("base_address", "baseAddress", "string", False, False),
        Field("credential", "credential", "string", False, False),
        Field("credential_env", "credentialEnv", "string", False, False),
        Field("credential_file", "credentialFile", "string", False, False),
        Field("credential_command", "credentialCommand", "string", True, False),
    )



@dataclass
class CreateForgeConnectionResponse(Message):
    """forge.v1.CreateForgeConnectionResponse"""

    connection: Optional[ForgeConnection] = None
    """The new connection."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("connection", "connection", lambda: ForgeConnection, False, True),
    )



@dataclass
class ForgeConnection(Message):
    """forge.v1.ForgeConnection"""

    id: str = ""
    """The id of the connection in other calls: `fgc_` and a ULID."""
    host: str = ""
    """The host name of its remotes, such as `github.com`."""
    kind: Union[ForgeKind, str] = ForgeKind.UNSPECIFIED
    """Which software the forge runs."""
    base_address: str = ""
    """The base address of the forge’s API. Default: the usual one at its host."""
    credential_env: str = ""
    """The registry’s environment variable that contains the credential."""
    credential_file: str = ""
    """A file on the registry’s computer that contains the credential, readable only by its owner."""
    credential_command: List[str] = _field(default_factory=list)
    """A program that prints the credential, with its arguments. It runs without a shell."""
    credential_kept: bool = False
    """Whether muster stores the credential, encrypted."""
    created_at: str = ""
    """When it was connected: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("host", "host", "string", False, False),
        Field("kind", "kind", lambda: ForgeKind, False, False),
        Field("base_address", "baseAddress", "string", False, False),
        Field("credential_env", "credentialEnv", "string", False, False),
        Field("credential_file", "credentialFile", "string", False, False),
        Field("credential_command", "credentialCommand", "string", True, False),
        Field("credential_kept", "credentialKept", "bool", False, False),
        Field("created_at", "createdAt", "string", False, False),
    )



@dataclass
class DeleteForgeConnectionRequest(Message):
    """forge.v1.DeleteForgeConnectionRequest"""

    connection_id: str = ""
    """The connection, by its id: `fgc_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("connection_id", "connectionId", "string", False, False),
    )



@dataclass
class DeleteForgeConnectionResponse(Message):
    """forge.v1.DeleteForgeConnectionResponse"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class ListForgeConnectionsRequest(Message):
    """forge.v1.ListForgeConnectionsRequest"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class ListForgeConnectionsResponse(Message):
    """forge.v1.ListForgeConnectionsResponse"""

    connections: List[ForgeConnection] = _field(default_factory=list)
    """All connections, ordered by host."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("connections", "connections", lambda: ForgeConnection, True, False),
    )



@dataclass
class ListForgePullRequestsRequest(Message):
    """forge.v1.ListForgePullRequestsRequest"""

    remote_url: str = ""
    """The repository as a Git remote: git@host:owner/name or https://host/owner/name."""
    branch: str = ""
    """Every pull request from this branch. Unset: all open ones."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("remote_url", "remoteUrl", "string", False, False),
        Field("branch", "branch", "string", False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListForgePullRequestsResponse(Message):
    """forge.v1.ListForgePullRequestsResponse"""

    pull_requests: List[ForgePullRequest] = _field(default_factory=list)
    """One page, in the forge’s order."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("pull_requests", "pullRequests", lambda: ForgePullRequest, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class ForgePullRequest(Message):
    """forge.v1.ForgePullRequest"""

    forge: str = ""
    """The kind of its forge, such as `github`."""
    provider_id: str = ""
    """The forge’s own stable identifier."""
    url: str = ""
    """The web address that a person opens."""
    repository_url: str = ""
    """The web address of the repository it targets."""
    head_repository_url: str = ""
    """The web address of the repository that contains its branch. Empty if the forge no longer has it."""
    number: int = 0
    """The number that the forge shows, per repository."""
    title: str = ""
    """The title that its author gave it."""
    head_branch: str = ""
    """The branch it was opened from."""
    head_sha: str = ""
    """The commit at the tip of that branch when last read."""
    base_branch: str = ""
    """The branch it targets."""
    base_sha: str = ""
    """The commit at the tip of the target branch when last read."""
    draft: bool = False
    """Whether the forge marks it as a draft."""
    state: str = ""
    """One of OPEN, CLOSED, MERGED."""
    created_at: str = ""
    """When it was opened on the forge: RFC 3339, UTC."""
    updated_at: str = ""
    """When the forge last saw it change: RFC 3339, UTC."""
    merged_at: str = ""
    """When it was merged: RFC 3339, UTC. Unset until then."""
    closed_at: str = ""
    """When it was closed: RFC 3339, UTC. Unset while open; a merged one has it too."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("forge", "forge", "string", False, False),
        Field("provider_id", "providerId", "string", False, False),
        Field("url", "url", "string", False, False),
        Field("repository_url", "repositoryUrl", "string", False, False),
        Field("head_repository_url", "headRepositoryUrl", "string", False, False),
        Field("number", "number", "int32", False, False),
        Field("title", "title", "string", False, False),
        Field("head_branch", "headBranch", "string", False, False),
        Field("head_sha", "headSha", "string", False, False),
        Field("base_branch", "baseBranch", "string", False, False),
        Field("base_sha", "baseSha", "string", False, False),
        Field("draft", "draft", "bool", False, False),
        Field("state", "state", "string", False, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("updated_at", "updatedAt", "string", False, False),
        Field("merged_at", "mergedAt", "string", False, False),
        Field("closed_at", "closedAt", "string", False, False),
    )



@dataclass
class ListPullRequestsRequest(Message):
    """forge.v1.ListPullRequestsRequest"""

    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    agent_id: str = ""
    """Only those from this agent’s branch."""
    remote_url: str = ""
    """Only those of this repository, in any form that Git accepts."""
    state: Union[PullRequestState, str] = PullRequestState.UNSPECIFIED
    """Only those in this state. Unset: all."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
        Field("agent_id", "agentId", "string", False, False),
        Field("remote_url", "remoteUrl", "string", False, False),
        Field("state", "state", lambda: PullRequestState, False, False),
    )



@dataclass
class ListPullRequestsResponse(Message):
    """forge.v1.ListPullRequestsResponse"""

    pull_requests: List[PullRequest] = _field(default_factory=list)
    """One page, most recently changed first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("pull_requests", "pullRequests", lambda: PullRequest, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class SweepRepositoryRequest(Message):
    """forge.v1.SweepRepositoryRequest"""

    remote_url: str = ""
    """The repository as a Git remote: git@host:owner/name or https://host/owner/name."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("remote_url", "remoteUrl", "string", False, False),
    )



@dataclass
class SweepRepositoryResponse(Message):
    """forge.v1.SweepRepositoryResponse"""

    repository: Optional[RepositoryReading] = None
    """The repository, and when it is read."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("repository", "repository", lambda: RepositoryReading, False, True),
    )



@dataclass
class RepositoryReading(Message):
    """forge.v1.RepositoryReading"""

    url: str = ""
    """The web address of the repository: as its forge spells it, once it has been read."""
    state: Union[RepositoryState, str] = RepositoryState.UNSPECIFIED
    """Whether and when it is read."""
    swept_at: str = ""
    """When it was last read completely: RFC 3339, UTC. Unset before the first time."""
    next_at: str = ""
    """The earliest time of the next read: RFC 3339, UTC."""
    failure: str = ""
    """Why the last read failed. Empty if it succeeded."""
    warning: str = ""
    """What the credential of its connection may not read. Empty if it may read everything."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("url", "url", "string", False, False),
        Field("state", "state", lambda: RepositoryState, False, False),
        Field("swept_at", "sweptAt", "string", False, False),
        Field("next_at", "nextAt", "string", False, False),
        Field("failure", "failure", "string", False, False),
        Field("warning", "warning", "string", False, False),
    )
